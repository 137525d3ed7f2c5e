-- Papers another program issued are written together too, and lines that are written with their own paper cost no look at any other: the plan of that
-- look may be older than the papers, and then it went through all there were.

create or replace function guard_new_lines() returns trigger language plpgsql as $$
declare
  issuing uuid[] := string_to_array(current_setting('pinkas.issuing', true), ',');
begin
  if issuing is not null and not exists (select 1 from fresh where document_id <> all (issuing)) then
    return null;
  end if;
  if exists (select 1 from fresh f join documents d on d.company_id = f.company_id and d.id = f.document_id and d.status <> 'draft'
             where issuing is null or d.id <> all (issuing)) then
    raise exception 'an issued document gets no more lines' using errcode = 'PK001';
  end if;
  return null;
end $$;

-- Keeps documents another program issued, with the numbers it gave them: frozen like what is issued here, but without an entry of their own,
-- because the journal of that program brings the entries. Only into books where nothing else stands (PK280).
-- papers = [{document, lines, payments}], as issue_document takes them.
create or replace function keep_uniform_papers(company uuid, papers jsonb) returns void language plpgsql as $$
begin
  if exists (select 1 from entries e where e.company_id = company) then
    raise exception 'the books are not empty' using errcode = 'PK280';
  end if;
  perform set_config('pinkas.issuing', (select string_agg(p->'document'->>'id', ',') from jsonb_array_elements(papers) p), true);
  insert into documents
  select r.* from jsonb_array_elements(papers) p,
    lateral jsonb_populate_record(null::documents, (p->'document') || jsonb_build_object('company_id', company)) r;
  insert into document_lines
  select r.* from jsonb_array_elements(papers) p, jsonb_array_elements(p->'lines') l,
    lateral jsonb_populate_record(null::document_lines, l || jsonb_build_object('company_id', company, 'document_id', p->'document'->>'id')) r;
  insert into document_payments
  select r.* from jsonb_array_elements(papers) p, jsonb_array_elements(p->'payments') l,
    lateral jsonb_populate_record(null::document_payments, l || jsonb_build_object('company_id', company, 'document_id', p->'document'->>'id')) r;
  perform set_config('pinkas.issuing', '', true);
end $$;

-- PK270 meant a lock of a period and a movement of stock, PK280 what was sent to be signed and books that are not empty: of each pair people were told the
-- one that happened to be registered last. Each code now means one refusal.

create or replace function locked_period_frozen() returns trigger language plpgsql as $$
declare
  fate constant text[] := array['reopened_at', 'reopened_by', 'reopen_reason'];
begin
  if tg_op = 'DELETE' then
    if discards_demo(old.company_id) then return old; end if;
    raise exception 'a lock is opened, never deleted' using errcode = 'PK271';
  end if;
  if (to_jsonb(new) - fate) is distinct from (to_jsonb(old) - fate) or old.reopened_at is not null then
    raise exception 'a lock is opened once and never changed' using errcode = 'PK271';
  end if;
  return new;
end $$;

create or replace function keep_uniform_papers(company uuid, papers jsonb) returns void language plpgsql as $$
begin
  if exists (select 1 from entries e where e.company_id = company) then
    raise exception 'the books are not empty' using errcode = 'PK282';
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

-- The uniform file of the Tax Authority and other exports: the files that were made, the card keys that customers and suppliers have in them;
-- what another program's uniform file brought in, kept as it stood.

-- The key of a customer or supplier as a card of the books. Given once, so that two files of one business name a card alike; a card that came
-- from another program keeps its key.
create table uniform_cards (
  company_id uuid not null references companies,
  party_id uuid not null,
  key text not null check (length(key) between 1 and 15),
  primary key (company_id, party_id),
  unique (company_id, key),
  foreign key (company_id, party_id) references parties (company_id, id)
);
select secure_table('uniform_cards', 'select, insert');
create policy own_customers on uniform_cards as restrictive to pinkas_own using (false);

-- What was made for whom, and what stood in it.
create table uniform_files (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null check (kind in ('uniform', 'hledger', 'csv')),
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  name text not null check (length(name) between 1 and 120),
  -- Where the law wants it to lie: OPENFRMT\<8 digits>.<yy>\<MMDDhhmm>.
  path text not null default '',
  size bigint not null check (size >= 0),
  -- The number of records by their code.
  counts jsonb not null default '{}',
  made_at timestamptz not null,
  created_by uuid not null,
  primary key (company_id, id)
);
create index uniform_files_by_time on uniform_files (company_id, made_at desc, id desc);
select secure_table('uniform_files', 'select, insert');
create policy own_customers on uniform_files as restrictive to pinkas_own using (false);

-- The file in pieces, so that none is ever whole in memory while it is made; they go after a week.
create table uniform_file_parts (
  company_id uuid not null,
  file_id uuid not null,
  part integer not null,
  bytes bytea not null check (octet_length(bytes) <= 1048576),
  created_at timestamptz not null default now(),
  primary key (company_id, file_id, part)
);
alter table uniform_file_parts alter column bytes set storage external;
select secure_table('uniform_file_parts', 'select, insert, delete');
create policy own_customers on uniform_file_parts as restrictive to pinkas_own using (false);

create table uniform_imports (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  size bigint not null check (size > 0),
  state text not null default 'checking' check (state in ('checking', 'checked', 'running', 'done', 'failed')),
  -- What the person chose: which sort codes are customers and suppliers, which accounts are those our postings look for.
  choices jsonb not null default '{}',
  -- What the dry run found, and after the import what became of it.
  report jsonb,
  error jsonb,
  job_id uuid,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (company_id, id)
);
create index uniform_imports_by_time on uniform_imports (company_id, created_at desc, id desc);
select secure_table('uniform_imports', 'select, insert, update, delete');
create policy own_customers on uniform_imports as restrictive to pinkas_own using (false);

-- INI.TXT and BKMVDATA.TXT as they came, unpacked; gone once they are in the books.
create table uniform_import_parts (
  company_id uuid not null,
  import_id uuid not null,
  file text not null check (file in ('ini', 'data')),
  part integer not null,
  bytes bytea not null check (octet_length(bytes) <= 1048576),
  primary key (company_id, import_id, file, part),
  foreign key (company_id, import_id) references uniform_imports (company_id, id) on delete cascade
);
alter table uniform_import_parts alter column bytes set storage external;
select secure_table('uniform_import_parts', 'select, insert, delete');
create policy own_customers on uniform_import_parts as restrictive to pinkas_own using (false);

-- A document of another program, record by record as it stood in its file. It is told again in every later uniform file exactly so.
create table uniform_papers (
  company_id uuid not null,
  import_id uuid not null,
  -- The line of its head in BKMVDATA.TXT.
  line integer not null,
  -- Appendix 1 of the Instructions.
  code smallint not null,
  number text not null,
  day date not null,
  total_agorot bigint not null,
  name text not null default '',
  party_id uuid,
  -- Where it stands among the documents; null for kinds this product does not keep.
  document_id uuid,
  records text[] not null,
  primary key (company_id, import_id, line),
  foreign key (company_id, import_id) references uniform_imports (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
create unique index uniform_papers_of_document on uniform_papers (company_id, document_id) where document_id is not null;
create index uniform_papers_by_day on uniform_papers (company_id, day, line);
select secure_table('uniform_papers', 'select, insert');
create policy own_customers on uniform_papers as restrictive to pinkas_own using (false);
create trigger uniform_papers_frozen before update or delete on uniform_papers for each row execute function refuse_change();

-- Keeps documents another program issued, with the numbers it gave them: frozen like what is issued here, but without an entry of their own,
-- because the journal of that program brings the entries. Only into books where nothing else stands (PK280).
-- papers = [{document, lines, payments}], as issue_document takes them.
create function keep_uniform_papers(company uuid, papers jsonb) returns void language plpgsql as $$
declare
  p jsonb;
  doc uuid;
begin
  if exists (select 1 from entries e where e.company_id = company) then
    raise exception 'the books are not empty' using errcode = 'PK280';
  end if;
  for p in select * from jsonb_array_elements(papers) loop
    doc := (p->'document'->>'id')::uuid;
    perform set_config('pinkas.issuing', doc::text, true);
    insert into documents select r.* from jsonb_populate_record(null::documents, (p->'document') || jsonb_build_object('company_id', company)) r;
    insert into document_lines
    select r.* from jsonb_array_elements(p->'lines') l,
      lateral jsonb_populate_record(null::document_lines, l || jsonb_build_object('company_id', company, 'document_id', doc)) r;
    insert into document_payments
    select r.* from jsonb_array_elements(p->'payments') l,
      lateral jsonb_populate_record(null::document_payments, l || jsonb_build_object('company_id', company, 'document_id', doc)) r;
  end loop;
  perform set_config('pinkas.issuing', '', true);
end $$;

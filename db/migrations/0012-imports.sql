-- Long work that people can watch, leave and find again; registers brought in from files, with the way back.

create table jobs (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null check (length(kind) between 1 and 40),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'stopped')),
  -- What it is about: the parameters of its words, and where its result is seen.
  about jsonb not null default '{}',
  payload jsonb not null default '{}',
  -- Whose rights it works with, as they were when it was started.
  caller jsonb not null,
  -- Where it goes on after a process was killed.
  position jsonb,
  done bigint not null default 0,
  total bigint,
  result jsonb,
  error jsonb,
  stop_asked boolean not null default false,
  -- The process that works on it; one that was given up for dead finds its name gone and may write nothing more.
  runner uuid,
  attempts smallint not null default 0,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (company_id, id)
);
create index jobs_of_person on jobs (company_id, created_by, created_at desc);
select secure_table('jobs', 'select, insert, update');

create table imports (
  company_id uuid not null references companies,
  id uuid not null,
  resource text not null check (length(resource) between 1 and 40),
  name text not null check (length(name) between 1 and 200),
  size bigint not null check (size > 0),
  kind text not null check (kind in ('text', 'xlsx')),
  state text not null default 'read'
    check (state in ('read', 'checking', 'checked', 'running', 'done', 'failed', 'stopped', 'undoing', 'undone')),
  -- How the file is read (code page, delimiter, sheet, row of heads), what each column is, and what is done with the rows.
  reading jsonb not null,
  mapping jsonb not null,
  options jsonb not null default '{}',
  -- The heads and the first rows, for choosing.
  head jsonb not null,
  counts jsonb not null default '{}',
  error jsonb,
  job_id uuid,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (company_id, id)
);
create index imports_by_time on imports (company_id, created_at desc, id desc);
select secure_table('imports', 'select, insert, update, delete');
create policy own_imports on imports as restrictive to pinkas_own
  using (created_by = current_person()) with check (created_by = current_person());

-- The file in pieces, so that neither reading nor writing holds it whole in memory; gone once its rows are in.
create table import_parts (
  company_id uuid not null,
  import_id uuid not null,
  part integer not null,
  bytes bytea not null check (octet_length(bytes) <= 1048576),
  primary key (company_id, import_id, part),
  foreign key (company_id, import_id) references imports (company_id, id) on delete cascade
);
alter table import_parts alter column bytes set storage external;
select secure_table('import_parts', 'select, insert, delete');
create policy own_imports on import_parts as restrictive to pinkas_own
  using (exists (select 1 from imports i where i.company_id = import_parts.company_id and i.id = import_parts.import_id));

create table import_rows (
  company_id uuid not null,
  import_id uuid not null,
  row_no integer not null,
  outcome text not null check (outcome in ('create', 'change', 'same', 'skip', 'faulty')),
  -- The values of the row as they would be saved, by field.
  given jsonb,
  -- [{column, field, code, params}], and the cells as they stood in the file.
  faults jsonb,
  raw jsonb,
  -- What tells this row from the others of its file.
  keys text[] not null default '{}',
  target_id uuid,
  before jsonb,
  after jsonb,
  -- updated_at of the record when it was written: while it stands, nobody has touched the record since.
  stamp timestamptz,
  -- Set by the undo: 'archived', 'restored', or why it was refused.
  undone text,
  primary key (company_id, import_id, row_no),
  foreign key (company_id, import_id) references imports (company_id, id) on delete cascade
);
create index import_rows_by_outcome on import_rows (company_id, import_id, outcome, row_no);
select secure_table('import_rows', 'select, insert, update, delete');
create policy own_imports on import_rows as restrictive to pinkas_own
  using (exists (select 1 from imports i where i.company_id = import_rows.company_id and i.id = import_rows.import_id));

-- Which column is what, remembered for files with the same heads.
create table import_mappings (
  company_id uuid not null references companies,
  resource text not null,
  fingerprint text not null check (length(fingerprint) = 64),
  mapping jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, resource, fingerprint)
);
select secure_table('import_mappings', 'select, insert, update');

-- A letter that the receiving server refused is told from one that never got through; a letter may be sent again.
alter table messages drop constraint messages_state_check;
alter table messages add constraint messages_state_check check (state in ('queued', 'sent', 'kept', 'failed', 'bounced'));
alter table messages add column resend_of uuid;
alter table messages add foreign key (company_id, resend_of) references messages (company_id, id);
create index outbox_of_message on outbox (company_id, (payload->>'messageId')) where payload ? 'messageId';

-- A program knows a record by an id of its own and hangs values of its own on it, also on what is issued and never changes: beside the record, not in it.
create table record_marks (
  company_id uuid not null references companies (id),
  entity text not null check (entity in ('customers', 'suppliers', 'items', 'documents', 'expenses')),
  record_id uuid not null,
  external_id text check (external_id is null or length(external_id) between 1 and 100),
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, entity, record_id),
  unique (company_id, entity, external_id)
);
select secure_table('record_marks', 'select, insert, update, delete');

-- Whoever keeps a copy asks for what changed since.
create index parties_changed on parties (company_id, role, updated_at, id);
create index items_changed on items (company_id, updated_at, id);
create index documents_changed on documents (company_id, updated_at, id);
create index expenses_changed on expenses (company_id, updated_at, id);

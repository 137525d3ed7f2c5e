-- A program that repeats a call under its own key gets the record that the first call made, at any time later. What it
-- sent is kept as a digest, so that another body under the same key is refused instead.
create table client_keys (
  company_id uuid not null references companies (id),
  entity text not null,
  client_key text not null check (length(client_key) between 1 and 100),
  digest bytea not null,
  record_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, entity, client_key)
);
select secure_table('client_keys', 'select, insert, update, delete');

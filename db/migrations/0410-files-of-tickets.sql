-- A fault is told by a file as often as by words: what its asker adds by hand, as it is. It is no file of the business's store, which others look through and whose room may be full.
create table ticket_files (
  company_id uuid not null,
  ticket_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  mime text not null check (length(mime) between 3 and 100),
  bytes bytea not null check (length(bytes) between 1 and 5242880),
  created_at timestamptz not null default now(),
  primary key (company_id, ticket_id, id),
  foreign key (company_id, ticket_id) references tickets (company_id, id)
);
select secure_table('ticket_files', 'select, insert');

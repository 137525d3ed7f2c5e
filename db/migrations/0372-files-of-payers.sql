-- What a payer attaches where a payment page asks for a file. It is of the page and of one opening of it; it stays with what is paid, and what
-- nobody pays with is thrown away within a day.
create table pay_page_files (
  company_id uuid not null,
  id uuid not null,
  page_id uuid not null,
  visit uuid not null,
  -- The field that asks for it, by its key.
  field text not null check (field ~ '^[a-z0-9]{1,20}$'),
  -- What is paid, and it belongs to; nothing as long as it is not.
  purchase_id uuid,
  name text not null check (length(name) between 1 and 200),
  mime text not null check (mime in ('application/pdf', 'image/png', 'image/jpeg')),
  size integer not null check (size between 1 and 8388608),
  bytes bytea not null check (octet_length(bytes) = size),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, page_id) references pay_pages (company_id, id),
  foreign key (company_id, purchase_id) references pay_purchases (company_id, id)
);
create unique index pay_page_files_of_purchase on pay_page_files (company_id, purchase_id, field) where purchase_id is not null;
create index pay_page_files_loose on pay_page_files (company_id, page_id, created_at) where purchase_id is null;
create index pay_page_files_past on pay_page_files (created_at) where purchase_id is null;
select secure_table('pay_page_files', 'select, insert, update, delete');
create policy own_customers on pay_page_files as restrictive to pinkas_own
  using (exists (select 1 from pay_purchases p where p.company_id = pay_page_files.company_id and p.id = pay_page_files.purchase_id));

-- They take room of the business as its other files do.
create or replace function kept_bytes(company uuid) returns bigint language sql stable
  as $$ select (coalesce((select sum(octet_length(bytes)) from file_contents where company_id = company), 0)
    + coalesce((select sum(size) from pay_page_files where company_id = company), 0))::bigint $$;

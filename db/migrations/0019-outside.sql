-- Documents from elsewhere: a PDF is taken in, sealed with the business's signature, sent with a page of its own, and kept.

create table outside_documents (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  customer_id uuid,
  note text not null default '' check (length(note) <= 2000),
  pages integer not null check (pages > 0),
  -- Of the sealed file.
  size integer not null check (size > 0),
  page_key text not null unique check (length(page_key) >= 40),
  -- Of the file that was brought in, before it was sealed.
  original_sha256 bytea not null check (octet_length(original_sha256) = 32),
  sent_at timestamptz,
  opened_at timestamptz,
  folded text not null default '',
  created_by uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index outside_documents_by_time on outside_documents (company_id, created_at desc, id desc);
create index outside_documents_of_customer on outside_documents (company_id, customer_id) where customer_id is not null;
select secure_table('outside_documents', 'select, insert, update');
create policy own_customers on outside_documents as restrictive to pinkas_own
  using (case when customer_id is null then created_by = current_person()
    else exists (select 1 from parties p where p.company_id = outside_documents.company_id and p.id = outside_documents.customer_id) end);

-- What was sent stays what it was.
create function outside_documents_stay() returns trigger language plpgsql as $$
begin
  if (new.name, new.customer_id, new.pages, new.size, new.page_key, new.original_sha256, new.created_at)
    is distinct from (old.name, old.customer_id, old.pages, old.size, old.page_key, old.original_sha256, old.created_at) then
    raise exception 'a document that was sent is never changed' using errcode = 'PK181';
  end if;
  return new;
end $$;
create trigger outside_documents_stay before update on outside_documents for each row when (old.sent_at is not null)
  execute function outside_documents_stay();

-- The sealed file, once for ever.
create table outside_files (
  company_id uuid not null,
  document_id uuid not null,
  bytes bytea not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz not null default now(),
  primary key (company_id, document_id),
  foreign key (company_id, document_id) references outside_documents (company_id, id)
);
alter table outside_files alter column bytes set storage external;
select secure_table('outside_files', 'select, insert');
create policy own_customers on outside_files as restrictive to pinkas_own
  using (exists (select 1 from outside_documents o where o.company_id = outside_files.company_id and o.id = outside_files.document_id));

alter table messages add column outside_id uuid;
alter table messages add foreign key (company_id, outside_id) references outside_documents (company_id, id);
create index messages_of_outside on messages (company_id, outside_id) where outside_id is not null;

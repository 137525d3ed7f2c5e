-- Files of a business, and people who see only their own customers.

-- Acts like pinkas_app but sees the customers it is in charge of, and what hangs on them. A role of its own, so that everybody
-- else's queries carry no further condition and keep their index-only plans.
do $$ begin
  if not exists (select 1 from pg_roles where rolname = 'pinkas_own') then create role pinkas_own nologin; end if;
end $$;
grant pinkas_app to pinkas_own;
do $$ begin execute format('grant pinkas_own to %I', current_user); end $$;

create or replace function discards_demo(company uuid) returns boolean language sql stable
  as $$ select current_user not in ('pinkas_app', 'pinkas_own') and exists (select 1 from companies where id = company and demo) $$;

alter table memberships add column own_customers_only boolean not null default false;

-- The worker in charge of a customer.
alter table parties add column agent_id uuid;
alter table parties add foreign key (company_id, agent_id) references memberships (company_id, user_id);
create index parties_of_agent on parties (company_id, agent_id) where agent_id is not null;

create policy own_customers on parties as restrictive to pinkas_own
  using (role <> 'customer' or agent_id = current_person()) with check (role <> 'customer' or agent_id = current_person());
create policy own_customers on documents as restrictive to pinkas_own
  using (case when customer_id is null then created_by = current_person()
    else exists (select 1 from parties p where p.company_id = documents.company_id and p.id = documents.customer_id) end);
create policy own_customers on document_lines as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = document_lines.company_id and d.id = document_lines.document_id));
create policy own_customers on document_papers as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = document_papers.company_id and d.id = document_papers.document_id));
-- Writing an entry is the posting function's affair; what is limited is what of it can be read again.
create policy own_customers on postings as restrictive for select to pinkas_own
  using (party_id is null or exists (select 1 from parties p where p.company_id = postings.company_id and p.id = postings.party_id));
create policy own_customers on party_months as restrictive for select to pinkas_own
  using (exists (select 1 from parties p where p.company_id = party_months.company_id and p.id = party_months.party_id));
create policy own_customers on messages as restrictive for select to pinkas_own
  using (case when document_id is null then created_by = current_person()
    else exists (select 1 from documents d where d.company_id = messages.company_id and d.id = messages.document_id) end);

-- How much a business may keep.
alter table companies add column file_quota_bytes bigint not null default 2147483648 check (file_quota_bytes >= 0);

create table file_folders (
  company_id uuid not null references companies,
  id uuid not null,
  parent_id uuid,
  name text not null check (length(name) between 1 and 120),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, parent_id) references file_folders (company_id, id) on delete cascade,
  check (parent_id is distinct from id)
);
create unique index file_folders_by_name on file_folders (company_id, coalesce(parent_id, company_id), name);
select secure_table('file_folders', 'select, insert, update, delete');

-- The bytes once per business, however often they were uploaded.
create table file_contents (
  company_id uuid not null references companies,
  sha256 bytea not null check (octet_length(sha256) = 32),
  bytes bytea not null check (octet_length(bytes) <= 20971520),
  primary key (company_id, sha256)
);
alter table file_contents alter column bytes set storage external;
select secure_table('file_contents', 'select, insert, delete');

create table files (
  company_id uuid not null references companies,
  id uuid not null,
  folder_id uuid,
  name text not null check (length(name) between 1 and 200),
  mime text not null,
  size integer not null check (size > 0),
  sha256 bytea not null,
  source text not null default 'upload' check (source in ('upload', 'mail', 'phone', 'system')),
  created_by uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, folder_id) references file_folders (company_id, id) on delete set null (folder_id),
  foreign key (company_id, sha256) references file_contents (company_id, sha256)
);
create index files_by_time on files (company_id, created_at desc, id desc);
create index files_in_folder on files (company_id, folder_id);
create index files_of_content on files (company_id, sha256);
select secure_table('files', 'select, insert, update, delete');

-- What a file is attached to: any thing of the business, by its resource's name.
create table file_links (
  company_id uuid not null,
  file_id uuid not null,
  entity text not null check (length(entity) between 1 and 40),
  entity_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, entity, entity_id, file_id),
  foreign key (company_id, file_id) references files (company_id, id) on delete cascade
);
create index links_of_file on file_links (company_id, file_id);
select secure_table('file_links', 'select, insert, delete');
create policy own_customers on file_links as restrictive for select to pinkas_own
  using (case entity
    when 'customers' then exists (select 1 from parties p where p.company_id = file_links.company_id and p.id = file_links.entity_id)
    when 'documents' then exists (select 1 from documents d where d.company_id = file_links.company_id and d.id = file_links.entity_id)
    else true end);

create policy own_files on files as restrictive for select to pinkas_own
  using (created_by = current_person()
    or exists (select 1 from file_links l where l.company_id = files.company_id and l.file_id = files.id));

-- How much is kept, in bytes: the same bytes count once.
create function kept_bytes(company uuid) returns bigint language sql stable
  as $$ select coalesce(sum(octet_length(bytes)), 0)::bigint from file_contents where company_id = company $$;

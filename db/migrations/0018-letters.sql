-- Letters on the business's paper, the ways a document reaches its customer (mail, SMS, WhatsApp) with what goes along, the signature
-- that is printed on papers, and who was asked for his consent to computerised documents.

-- A draft, or a letter as it was sent to one customer: that one stays as it is for ever.
create table letters (
  company_id uuid not null references companies,
  id uuid not null,
  status text not null default 'draft' check (status in ('draft', 'sent')),
  title text not null default '' check (length(title) <= 200),
  -- Of a draft with its merge fields; of a letter sent with what stood in their place.
  body text not null default '' check (length(body) <= 20000),
  -- Of a draft: each customer's own when absent.
  language text check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  -- Whom a draft is for.
  customer_ids uuid[] not null default '{}' check (cardinality(customer_ids) <= 200),
  -- Whom it was sent to.
  customer_id uuid,
  document_id uuid,
  signed boolean not null default true,
  -- Sums stand in it: kept from people who may not see them.
  names_sums boolean not null default false,
  day date,
  sent_at timestamptz,
  created_by uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id),
  check ((status = 'sent') = (sent_at is not null)),
  check (status = 'draft' or (customer_id is not null and language is not null and day is not null))
);
create index letters_by_time on letters (company_id, created_at desc, id desc);
create index letters_of_customer on letters (company_id, customer_id, created_at desc) where customer_id is not null;
select secure_table('letters', 'select, insert, update, delete');
create policy own_customers on letters as restrictive to pinkas_own
  using (case when customer_id is not null then exists (select 1 from parties p where p.company_id = letters.company_id and p.id = letters.customer_id)
    else created_by = current_person() end);

create function letters_stay() returns trigger language plpgsql as $$
begin
  if discards_demo(old.company_id) and tg_op = 'DELETE' then return old; end if;
  raise exception 'a letter that was sent is never changed' using errcode = 'PK180';
end $$;
create trigger letters_stay before update or delete on letters for each row when (old.status = 'sent') execute function letters_stay();

-- The sealed paper of a letter that was sent.
create table letter_files (
  company_id uuid not null,
  letter_id uuid not null,
  gzip bytea not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz not null default now(),
  primary key (company_id, letter_id),
  foreign key (company_id, letter_id) references letters (company_id, id)
);
alter table letter_files alter column gzip set storage external;
select secure_table('letter_files', 'select, insert');
create policy own_customers on letter_files as restrictive to pinkas_own
  using (exists (select 1 from letters l where l.company_id = letter_files.company_id and l.id = letter_files.letter_id));

create table letter_templates (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  language text check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  title text not null default '' check (length(title) <= 200),
  body text not null default '' check (length(body) <= 20000),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index letter_templates_by_name on letter_templates (company_id, lower(name)) where archived_at is null;
select secure_table('letter_templates', 'select, insert, update');

-- WhatsApp is opened by the person who sends; what he says he sent is kept.
alter table messages drop constraint messages_channel_check;
alter table messages add constraint messages_channel_check check (channel in ('mail', 'sms', 'whatsapp'));
alter table messages add column letter_id uuid;
alter table messages add foreign key (company_id, letter_id) references letters (company_id, id);
create index messages_of_letter on messages (company_id, letter_id) where letter_id is not null;
-- [{id, name, size}] of the files that went along with the paper itself.
alter table messages add column attachments jsonb not null default '[]';

-- Of a file on a document: whether its customer sees it on his page, and whether it goes along with the mail.
create table document_files (
  company_id uuid not null,
  document_id uuid not null,
  file_id uuid not null,
  shown boolean not null default false,
  mailed boolean not null default false,
  primary key (company_id, document_id, file_id),
  -- Not bound to the document: issuing takes the draft's row away and puts the document's own in its place, under the same id.
  foreign key (company_id, file_id) references files (company_id, id) on delete cascade
);
select secure_table('document_files', 'select, insert, update, delete');
create policy own_customers on document_files as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = document_files.company_id and d.id = document_files.document_id));

-- The signature of the business by hand, printed on its papers while it is on.
create table signature_pictures (
  company_id uuid primary key references companies,
  mime text not null check (mime in ('image/jpeg', 'image/png')),
  bytes bytea not null check (octet_length(bytes) <= 1000000),
  is_on boolean not null default true,
  updated_at timestamptz not null default now()
);
select secure_table('signature_pictures', 'select, insert, update, delete');

-- The account of a business with its provider of SMS; the key is sealed with the vault.
create table sms_accounts (
  company_id uuid primary key references companies,
  provider text not null check (provider in ('019')),
  username text not null check (length(username) between 1 and 60),
  sender text not null check (sender ~ '^[A-Za-z0-9]{2,11}$'),
  key_sealed bytea not null,
  updated_at timestamptz not null default now()
);
select secure_table('sms_accounts', 'select, insert, update, delete');

-- When the question of consent was put and left open: it is put once.
alter table parties add column consent_asked_at timestamptz;
-- The electronic invoice goes along with the mail.
alter table parties add column einvoice_xml boolean not null default false;

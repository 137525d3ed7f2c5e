-- Signing: templates with fields, papers sent to be signed, what each signer did, and the sealed file with its evidence.

-- A file as it lies under the fields. It never changes; pages are turned as they are shown: width, height, rotation and the box they are cut from.
create table sign_files (
  company_id uuid not null references companies,
  id uuid not null,
  bytes bytea not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  original_sha256 bytea not null check (octet_length(original_sha256) = 32),
  pages jsonb not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
select secure_table('sign_files', 'select, insert');

create table sign_templates (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  note text not null default '' check (length(note) <= 2000),
  version integer not null default 1,
  pages integer not null default 1,
  fields integer not null default 0,
  -- The open link: anybody who has it may sign, within its limits.
  page_key text not null,
  is_open boolean not null default false,
  open_most integer check (open_most between 1 and 100000),
  open_each integer not null default 1 check (open_each between 1 and 100),
  open_until date,
  open_identity text not null default 'link' check (open_identity in ('link', 'code')),
  created_by uuid,
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index sign_templates_key on sign_templates (page_key);
select secure_table('sign_templates', 'select, insert, update');

-- The fields and roles of a template. A version that was sent stays for ever; a newer one is another row.
create table sign_versions (
  company_id uuid not null,
  template_id uuid not null,
  version integer not null,
  file_id uuid not null,
  roles jsonb not null,
  fields jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, template_id, version),
  foreign key (company_id, template_id) references sign_templates (company_id, id),
  foreign key (company_id, file_id) references sign_files (company_id, id)
);
select secure_table('sign_versions', 'select, insert, update');

-- Who signs together, in which order, kept under a name.
create table sign_groups (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  people jsonb not null default '[]',
  copies jsonb not null default '[]',
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
select secure_table('sign_groups', 'select, insert, update');

create table sign_settings (
  company_id uuid primary key references companies,
  tsa_url text not null default '' check (length(tsa_url) <= 500),
  remind_days integer[] not null default '{2,5}',
  expire_days integer not null default 30 check (expire_days between 1 and 365),
  updated_at timestamptz not null default now()
);
select secure_table('sign_settings', 'select, insert, update');

-- A paper on its way to be signed. What was sent stands; its state moves.
create table sign_requests (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  template_id uuid,
  version integer,
  file_id uuid not null,
  roles jsonb not null,
  fields jsonb not null,
  -- What was filled in from customer and paper when it was sent.
  given jsonb not null default '{}',
  -- 'once': composed and sealed when all have signed; 'each': a seal after every signer.
  mode text not null default 'once' check (mode in ('once', 'each')),
  state text not null default 'sent' check (state in ('sent', 'inProgress', 'sealing', 'done', 'declined', 'expired', 'recalled')),
  message text not null default '' check (length(message) <= 2000),
  language text not null check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  customer_id uuid,
  -- What the signature is for: `purpose` names it, `purpose_id` the thing.
  purpose text not null default '' check (length(purpose) <= 40),
  purpose_id uuid,
  sum_agorot bigint,
  copies jsonb not null default '[]',
  remind_days integer[] not null default '{}',
  reminded integer not null default 0,
  next_at timestamptz,
  expires_at timestamptz not null,
  reason text not null default '',
  -- Of the chain of acts: its length and the hash of its last link.
  acts integer not null default 0,
  chain bytea,
  from_open boolean not null default false,
  sent_by uuid,
  sent_at timestamptz not null default now(),
  opened_at timestamptz,
  ended_at timestamptz,
  folded text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, template_id, version) references sign_versions (company_id, template_id, version),
  foreign key (company_id, file_id) references sign_files (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index sign_requests_list on sign_requests (company_id, sent_at desc);
create index sign_requests_of on sign_requests (company_id, template_id, version);
create index sign_requests_customer on sign_requests (company_id, customer_id) where customer_id is not null;
create index sign_requests_purpose on sign_requests (company_id, purpose, purpose_id) where purpose_id is not null;
create index sign_requests_due on sign_requests (next_at) where state in ('sent', 'inProgress') and next_at is not null;
select secure_table('sign_requests', 'select, insert, update');
create policy own_customers on sign_requests as restrictive to pinkas_own
  using (customer_id is null or exists (select 1 from parties p where p.company_id = sign_requests.company_id and p.id = sign_requests.customer_id));

create table sign_signers (
  company_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  role text not null,
  role_name text not null,
  order_no integer not null check (order_no between 1 and 50),
  name text not null check (length(name) between 1 and 120),
  email text,
  phone text,
  language text not null check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  identity text not null check (identity in ('link', 'code', 'login')),
  channel text not null default 'mail' check (channel in ('mail', 'sms', 'whatsapp', 'person')),
  -- 'spared': another of the same role signed, or the paper ended.
  state text not null check (state in ('waiting', 'open', 'signed', 'declined', 'delegated', 'spared')),
  page_key text not null,
  values jsonb,
  delegated_from uuid,
  visit_hash bytea,
  visit_until timestamptz,
  identified_how text,
  -- Whoever signed, as he was: for the list; the whole stands in the acts.
  sent_at timestamptz,
  opened_at timestamptz,
  signed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, request_id) references sign_requests (company_id, id)
);
create unique index sign_signers_key on sign_signers (page_key);
-- One signature a role, whoever of several is first.
create unique index sign_signers_once on sign_signers (company_id, request_id, role) where state = 'signed';
create index sign_signers_of on sign_signers (company_id, request_id, order_no);
select secure_table('sign_signers', 'select, insert, update');
create policy own_customers on sign_signers as restrictive to pinkas_own
  using (exists (select 1 from sign_requests r where r.company_id = sign_signers.company_id and r.id = sign_signers.request_id));

-- What happened, link by link: each hash covers the one before it.
create table sign_acts (
  company_id uuid not null,
  request_id uuid not null,
  no integer not null,
  kind text not null check (length(kind) between 1 and 30),
  signer_id uuid,
  at timestamptz not null,
  address text not null default '',
  agent text not null default '',
  detail jsonb not null default '{}',
  before_hash bytea not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (company_id, request_id, no),
  foreign key (company_id, request_id) references sign_requests (company_id, id)
);
select secure_table('sign_acts', 'select, insert');
create policy own_customers on sign_acts as restrictive to pinkas_own
  using (exists (select 1 from sign_requests r where r.company_id = sign_acts.company_id and r.id = sign_acts.request_id));

-- Codes by SMS or mail, hashed; each has five tries and ten minutes.
create table sign_codes (
  company_id uuid not null,
  signer_id uuid not null,
  id uuid not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, signer_id, id),
  foreign key (company_id, signer_id) references sign_signers (company_id, id)
);
select secure_table('sign_codes', 'select, insert, update, delete');

-- Files that signers added in fields.
create table sign_uploads (
  company_id uuid not null,
  id uuid not null,
  signer_id uuid not null,
  field text not null,
  name text not null check (length(name) between 1 and 200),
  mime text not null,
  bytes bytea not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, signer_id) references sign_signers (company_id, id)
);
create index sign_uploads_of on sign_uploads (company_id, signer_id);
select secure_table('sign_uploads', 'select, insert, delete');

-- Sealed files: with a seal after each signer one a signer, otherwise one in all.
create table sign_sealed (
  company_id uuid not null,
  request_id uuid not null,
  no integer not null,
  signer_id uuid,
  bytes bytea not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  stamped boolean not null default false,
  at timestamptz not null,
  primary key (company_id, request_id, no),
  foreign key (company_id, request_id) references sign_requests (company_id, id)
);
create index sign_sealed_hash on sign_sealed (sha256);
select secure_table('sign_sealed', 'select, insert');
create policy own_customers on sign_sealed as restrictive to pinkas_own
  using (exists (select 1 from sign_requests r where r.company_id = sign_sealed.company_id and r.id = sign_sealed.request_id));

-- Letters that ask for a signature name their signer.
do $$ declare said text;
begin
  select pg_get_constraintdef(oid) into said from pg_constraint where conname = 'messages_kind_check';
  execute 'alter table messages drop constraint messages_kind_check';
  execute 'alter table messages add constraint messages_kind_check ' || replace(said, 'ARRAY[', 'ARRAY[''signing''::text, ');
end $$;
alter table messages add column signer_id uuid;
alter table messages add foreign key (company_id, signer_id) references sign_signers (company_id, id);
create index messages_of_signer on messages (company_id, signer_id) where signer_id is not null;

-- What was sent never changes.
create function sign_version_stays() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if discards_demo(old.company_id) and tg_op = 'DELETE' then return old; end if;
  if exists (select 1 from sign_requests r where r.company_id = old.company_id and r.template_id = old.template_id and r.version = old.version) then
    raise exception 'a version that was sent stays as it is' using errcode = 'PK280';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger sign_version_stays before update or delete on sign_versions for each row execute function sign_version_stays();

create function sign_request_stays() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if (new.name, new.template_id, new.version, new.file_id, new.roles, new.fields, new.given, new.mode, new.sent_at, new.purpose, new.purpose_id)
    is distinct from (old.name, old.template_id, old.version, old.file_id, old.roles, old.fields, old.given, old.mode, old.sent_at, old.purpose, old.purpose_id) then
    raise exception 'what was sent to be signed stays as it is' using errcode = 'PK280';
  end if;
  if old.state in ('done', 'declined', 'expired', 'recalled') and new.state <> old.state then
    raise exception 'the paper has ended' using errcode = 'PK281';
  end if;
  return new;
end $$;
create trigger sign_request_stays before update on sign_requests for each row execute function sign_request_stays();

create function sign_signer_stays() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if old.state in ('signed', 'declined', 'delegated') and (new.state, new.values) is distinct from (old.state, old.values) then
    raise exception 'what was signed stays as it is' using errcode = 'PK281';
  end if;
  return new;
end $$;
create trigger sign_signer_stays before update on sign_signers for each row execute function sign_signer_stays();

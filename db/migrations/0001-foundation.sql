-- Businesses, people, who may what, and the plumbing every command stands on.
-- Every table of a business carries company_id first in its key, and row-level security as the second wall.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The application acts as this role inside a business; it owns nothing and can bypass nothing.
do $$ begin
  if not exists (select 1 from pg_roles where rolname = 'pinkas_app') then create role pinkas_app nologin; end if;
end $$;
do $$ begin execute format('grant pinkas_app to %I', current_user); end $$;
grant usage on schema public to pinkas_app;

-- Empty outside a transaction of a company: comparing with null shows nothing, so the wall fails closed.
create function current_company() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('pinkas.company', true), '')::uuid $$;
create function current_person() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('pinkas.person', true), '')::uuid $$;

-- Puts the wall round a table: what the application may do to it is said in the second argument.
create function secure_table(name text, rights text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('create policy tenant on %I using (company_id = current_company()) with check (company_id = current_company())', name);
  execute format('grant %s on %I to pinkas_app', rights, name);
end $$;

create table companies (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  kind text not null check (kind in ('licensedDealer', 'partnership', 'company', 'nonProfit', 'exemptDealer')),
  tax_id text not null check (tax_id ~ '^\d{9}$'),
  street text not null default '',
  city text not null default '',
  zip text not null default '',
  phone text not null default '',
  email text not null default '',
  website text not null default '',
  vat_period_months smallint not null default 2 check (vat_period_months in (1, 2)),
  withholding_file text not null default '' check (withholding_file ~ '^(9\d{8})?$'),
  income_tax_advance_bp integer not null default 0 check (income_tax_advance_bp between 0 and 10000),
  bank_details text not null default '',
  -- The paper and its texts.
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  layout text not null default 'classic' check (layout in ('classic', 'modern', 'compact')),
  accent text not null default '#0b5d52' check (accent ~ '^#[0-9a-f]{6}$'),
  rounding text not null default 'none' check (rounding in ('none', 'whole', 'half')),
  due_terms text not null default 'net:30',
  default_vat_kind smallint not null default 1 check (default_vat_kind in (1, 2, 3, 4)),
  text_above text not null default '',
  text_below text not null default '',
  mail_subject text not null default '',
  mail_text text not null default '',
  back_dating boolean not null default false,
  show_credit_line boolean not null default true,
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table companies enable row level security;
create policy tenant on companies using (id = current_company()) with check (id = current_company());
grant select, update on companies to pinkas_app;

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email) and email like '%_@_%'),
  phone text not null default '',
  full_name text not null,
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  password_hash text,
  -- Sealed with the vault key; a pending secret waits for its first right code.
  totp_secret bytea,
  totp_pending bytea,
  -- The last accepted time step: a code works once.
  totp_step bigint not null default 0,
  google_subject text unique,
  blocked_at timestamptz,
  created_at timestamptz not null default now()
);
-- Inside a business only names are needed (who issued, who changed), and one's own record.
grant select (id, email, full_name, language, phone) on users to pinkas_app;
alter table users enable row level security;

create table memberships (
  company_id uuid not null references companies,
  user_id uuid not null references users,
  type_id smallint not null check (type_id in (2, 4, 5, 6, 8, 9)),
  sub_type_id smallint not null default 0 check (sub_type_id in (0, 1, 2)),
  rules integer[] not null default '{}',
  docs_allow smallint[] not null default '{}',
  hide_nav_header boolean not null default false,
  hide_total_prices boolean not null default false,
  is_active_button boolean not null default true,
  rule_id integer not null default 0,
  dealer_id integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (company_id, user_id)
);
create index memberships_of_user on memberships (user_id);
select secure_table('memberships', 'select');
create policy colleagues on users for select to pinkas_app
  using (id = current_person() or exists (select 1 from memberships m where m.company_id = current_company() and m.user_id = users.id));

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users,
  company_id uuid not null references companies,
  -- A log-in that still waits for the second factor opens nothing else.
  pending_factor boolean not null default false,
  address text not null default '',
  agent text not null default '',
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (company_id, user_id) references memberships (company_id, user_id)
);
create index sessions_of_user on sessions (user_id);

create table resets (
  token_hash bytea primary key,
  user_id uuid not null references users,
  channel text not null check (channel in ('mail', 'sms')),
  tries smallint not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index resets_of_user on resets (user_id, channel);

-- Counts of tries per window, shared by all server processes.
create table throttles (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (key, window_start)
);

-- The first answer to a write, kept so that a repeat gets the same one.
create table idempotency_keys (
  scope text not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotency_age on idempotency_keys (created_at);
grant select, insert, update on idempotency_keys to pinkas_app;

-- What comes after a commit: written in the same transaction, run at least once by a worker.
create table outbox (
  id uuid primary key,
  company_id uuid references companies,
  name text not null,
  payload jsonb not null,
  run_after timestamptz not null default now(),
  attempts smallint not null default 0,
  done_at timestamptz,
  failed_at timestamptz,
  last_error text,
  created_at timestamptz not null default now()
);
create index outbox_waiting on outbox (run_after) where done_at is null and failed_at is null;
select secure_table('outbox', 'select, insert');

-- Append-only: nobody, the application included, may change or remove a line.
create table audit_log (
  company_id uuid not null references companies,
  id uuid not null,
  at timestamptz not null default now(),
  user_id uuid,
  address text not null default '',
  action text not null,
  entity text not null default '',
  entity_id uuid,
  before jsonb,
  after jsonb,
  primary key (company_id, id)
);
create index audit_of_entity on audit_log (company_id, entity_id, at);
create index audit_by_time on audit_log (company_id, at desc, id desc);
select secure_table('audit_log', 'select, insert');

-- A demo business may be thrown away whole, by the system and never by the application's role.
create function discards_demo(company uuid) returns boolean language sql stable
  as $$ select current_user <> 'pinkas_app' and exists (select 1 from companies where id = company and demo) $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and discards_demo(old.company_id) then return old; end if;
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'PK001'; end $$;
create trigger audit_frozen before update or delete on audit_log for each row execute function refuse_change();

create table logos (
  company_id uuid primary key references companies,
  mime text not null check (mime in ('image/jpeg', 'image/png')),
  bytes bytea not null check (octet_length(bytes) <= 2000000),
  updated_at timestamptz not null default now()
);
select secure_table('logos', 'select, insert, update, delete');

create table signing_certificates (
  company_id uuid not null references companies,
  id uuid not null,
  -- PKCS#12 sealed with the vault key; its own password is inside the sealed part.
  sealed bytea not null,
  subject text not null,
  issuer text not null,
  self_made boolean not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index one_active_certificate on signing_certificates (company_id) where active;
select secure_table('signing_certificates', 'select, insert, update');

create table saved_views (
  company_id uuid not null references companies,
  id uuid not null,
  user_id uuid not null references users,
  list text not null,
  name text not null check (length(name) between 1 and 60),
  query jsonb not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index saved_views_of_list on saved_views (company_id, user_id, list);
select secure_table('saved_views', 'select, insert, update, delete');

create table messages (
  company_id uuid not null references companies,
  id uuid not null,
  channel text not null check (channel in ('mail', 'sms')),
  recipient text not null,
  subject text not null,
  body text not null,
  document_id uuid,
  state text not null default 'queued' check (state in ('queued', 'sent', 'kept', 'failed')),
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  opened_at timestamptz,
  primary key (company_id, id)
);
create index messages_by_time on messages (company_id, created_at desc, id desc);
create index messages_of_document on messages (company_id, document_id) where document_id is not null;
select secure_table('messages', 'select, insert, update');

-- The brand a domain shows (white label): the same product under another name and logo.
create table brands (
  domain text primary key check (domain = lower(domain)),
  name text not null,
  logo text not null default '',
  icon_logo text not null default '',
  icon_menu text not null default '',
  icon_app text not null default '',
  secure_icon text not null default '',
  profile_icon text not null default '',
  style_url text not null default '',
  is_dealer boolean not null default false,
  dealer_id integer not null default 0
);

-- How often an affiliate's link, or an event, was seen on a day.
create table view_counts (
  kind text not null check (kind in ('affiliate', 'event')),
  name text not null check (length(name) between 1 and 100),
  day date not null,
  count integer not null default 1,
  primary key (kind, name, day)
);

-- Several businesses of one person, the paid modules of a business, its keys for programs, and its papers from the tax authorities.

-- The old world knows a business by a number; clients that compare it with plug-in records need one above 0. Gaps do not matter.
create table client_counter (one boolean primary key default true check (one), last integer not null);
insert into client_counter (last) values (1000);
create function next_client_number() returns integer language sql volatile
  as $$ update client_counter set last = last + 1 returning last $$;
alter table companies add column client_number integer;
with numbered as (select id, row_number() over (order by created_at, id) as n from companies)
  update companies c set client_number = 1000 + n from numbered where numbered.id = c.id;
update client_counter set last = 1000 + (select count(*) from companies);
alter table companies alter column client_number set default next_client_number();
alter table companies alter column client_number set not null;
alter table companies add unique (client_number);
alter table companies add check (client_number > 0);

-- Where its files lie at the authorities.
alter table companies add column income_tax_office text not null default '' check (length(income_tax_office) <= 80);
alter table companies add column income_tax_file text not null default '' check (income_tax_file ~ '^(\d{9})?$');
alter table companies add column vat_office text not null default '' check (length(vat_office) <= 80);

-- Certificates of the tax authority with their validity: proper books, withholding at source. The scan hangs on them as a file.
create table company_papers (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null check (kind in ('books', 'withholding', 'other')),
  name text not null default '' check (length(name) <= 120),
  valid_from date not null,
  valid_to date not null,
  -- What payers withhold from us, in basis points.
  rate_bp integer check (rate_bp between 0 and 10000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check (valid_from <= valid_to),
  check ((kind = 'withholding') = (rate_bp is not null))
);
create index company_papers_by_validity on company_papers (company_id, kind, valid_to desc);
select secure_table('company_papers', 'select, insert, update, delete');

-- A plug-in record: the module is paid while it runs. What ended stays as history.
create table company_modules (
  company_id uuid not null references companies,
  id uuid not null,
  plugin_id smallint not null check (plugin_id > 0),
  since date not null,
  trial_until date not null,
  -- A month, without VAT, as agreed when it was bought.
  price_agorot bigint not null check (price_agorot >= 0),
  -- The last day it runs, once it was cancelled.
  ends_on date,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index company_modules_running on company_modules (company_id, plugin_id) where ends_on is null;
select secure_table('company_modules', 'select, insert, update');

-- Keys for programs. The key itself is told once and kept as its hash; it acts for the person who made it, within his own rights.
create table api_keys (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  -- The beginning of the key, by which people tell it from others.
  prefix text not null,
  token_hash bytea not null unique,
  created_by uuid not null,
  read_only boolean not null,
  drafts_only boolean not null,
  -- Rule numbers; empty is every area a key may ever reach.
  rules integer[] not null default '{}',
  docs_allow smallint[] not null default '{}',
  -- The largest document it may issue, in agorot of the shekel.
  sum_limit_agorot bigint check (sum_limit_agorot > 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  used_at timestamptz,
  used_from text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, created_by) references memberships (company_id, user_id)
);
select secure_table('api_keys', 'select, insert, update');

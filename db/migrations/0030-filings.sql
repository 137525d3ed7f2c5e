-- What is reported of withheld tax and of the year: rates by code, certificates given and got, the head of form 6111, and rules that say how
-- bills are coded.

-- What the business withholds by code when no certificate says otherwise; the law's rates until it changes them.
create table withholding_codes (
  company_id uuid not null references companies,
  id uuid not null,
  code text not null check (code ~ '^\d{2}$'),
  name text check (length(name) between 1 and 120),
  rate_bp integer not null check (rate_bp between 0 and 10000),
  without_books_bp integer not null check (without_books_bp between 0 and 10000),
  -- What it is called in form 856.
  kind856 text not null check (kind856 ~ '^\d{2}$'),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, code),
  check (without_books_bp >= rate_bp)
);
select secure_table('withholding_codes', 'select, insert, update');

-- Yearly certificates (857) from customers who withheld tax from us: what they say.
create table withheld_certificates (
  company_id uuid not null references companies,
  customer_id uuid not null,
  year smallint not null check (year between 1990 and 2200),
  withheld_agorot bigint not null check (withheld_agorot >= 0),
  got_day date not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, customer_id, year),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index withheld_certificates_by_year on withheld_certificates (company_id, year);
select secure_table('withheld_certificates', 'select, insert, update, delete');
create policy own_customers on withheld_certificates as restrictive to pinkas_own using (false);

-- Certificates (857) given to suppliers: what they said when they were sent, so that a later difference shows.
create table given_certificates (
  company_id uuid not null references companies,
  id uuid not null,
  year smallint not null check (year between 1990 and 2200),
  supplier_id uuid not null,
  gross_agorot bigint not null,
  withheld_agorot bigint not null,
  recipient text not null check (length(recipient) <= 254),
  message_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id)
);
create index given_certificates_of on given_certificates (company_id, year, supplier_id, created_at desc);
select secure_table('given_certificates', 'select, insert');
create policy own_customers on given_certificates as restrictive to pinkas_own using (false);
create trigger given_certificates_frozen before update or delete on given_certificates for each row execute function refuse_change();

-- The head of form 6111 and the adjustments for tax, which no account says.
create table form6111_heads (
  company_id uuid not null references companies,
  year smallint not null check (year between 2000 and 2200),
  head jsonb not null,
  -- Whole shekels by code.
  adjustments jsonb not null default '{}',
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (company_id, year)
);
select secure_table('form6111_heads', 'select, insert, update');
create policy own_customers on form6111_heads as restrictive to pinkas_own using (false);

-- How bills are coded: whose, or with what words, are what.
create table coding_rules (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  supplier_id uuid,
  -- What stands in the bill's text, as people write it; empty when the supplier says enough.
  contains text not null default '' check (length(contains) <= 80),
  folded text not null default '',
  type_id uuid not null,
  vat_share text check (vat_share in ('full', 'twoThirds', 'quarter', 'none')),
  project_id uuid,
  -- The lower is asked first.
  place integer not null default 100 check (place between 1 and 9999),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id),
  foreign key (company_id, type_id) references expense_types (company_id, id),
  foreign key (company_id, project_id) references projects (company_id, id),
  check (supplier_id is not null or contains <> '')
);
create index coding_rules_by_place on coding_rules (company_id, place, created_at) where archived_at is null;
select secure_table('coding_rules', 'select, insert, update');

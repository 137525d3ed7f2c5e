-- A small business (esek zair; Income Tax Ordinance, sections 87b to 87g) deducts a fixed part of its turnover in place of its expenses and reports its
-- year by a short statement. The business elects that from a tax year on.
create table small_elections (
  company_id uuid not null references companies,
  from_year integer not null check (from_year between 2024 and 2200),
  takes boolean not null,
  set_by uuid,
  set_at timestamptz not null default now(),
  primary key (company_id, from_year)
);
select secure_table('small_elections', 'select, insert, update, delete');

-- Payments that no document shows and the statement names: compensation for war damage and payments of National Insurance.
create table small_payments (
  company_id uuid not null references companies,
  id uuid not null,
  day date not null,
  kind text not null check (kind in ('war', 'reserve', 'birth', 'pregnancy')),
  amount_agorot bigint not null check (amount_agorot > 0),
  withheld_agorot bigint not null default 0 check (withheld_agorot between 0 and amount_agorot),
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index small_payments_of on small_payments (company_id, day);
select secure_table('small_payments', 'select, insert, delete');

-- What was reported, as it was then: the books may change later.
create table small_statements (
  company_id uuid not null references companies,
  id uuid not null,
  year integer not null check (year between 2024 and 2200),
  filed_day date not null,
  reference text not null default '',
  figures jsonb not null,
  filed_by uuid,
  filed_at timestamptz not null default now(),
  reopened_at timestamptz,
  reopened_by uuid,
  primary key (company_id, id)
);
create unique index small_statements_of on small_statements (company_id, year) where reopened_at is null;
select secure_table('small_statements', 'select, insert, update');

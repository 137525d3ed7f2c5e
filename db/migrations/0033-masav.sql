-- Files for the bank clearing centre: credits to suppliers out of a payment run, debits of customers who allowed it, and what the bank sent back.

create table masav_settings (
  company_id uuid primary key references companies,
  -- Numbers the centre gives: of the paying institution, and of whoever brings the file.
  institution text not null check (institution ~ '^\d{1,8}$'),
  sender text not null check (sender ~ '^\d{1,5}$'),
  code text not null default 'B' check (code in ('A', 'B')),
  updated_at timestamptz not null default now()
);
select secure_table('masav_settings', 'select, insert, update');

-- A customer's written leave to debit his account.
create table debit_mandates (
  company_id uuid not null references companies,
  party_id uuid not null,
  reference text not null check (reference ~ '^\d{1,20}$'),
  since date not null,
  -- The most a single debit may come to.
  ceiling_agorot bigint check (ceiling_agorot > 0),
  ended_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, party_id),
  foreign key (company_id, party_id) references parties (company_id, id)
);
select secure_table('debit_mandates', 'select, insert, update');

create table masav_runs (
  company_id uuid not null references companies,
  id uuid not null,
  number bigint not null,
  direction text not null check (direction in ('credit', 'debit')),
  pay_day date not null,
  made_on date not null,
  lines integer not null check (lines > 0),
  total_agorot bigint not null check (total_agorot > 0),
  -- Exactly what was given out: a second download is byte for byte the first.
  bytes bytea not null,
  -- Of a debit: when its receipts were issued.
  collected_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, direction, number)
);
create index masav_runs_by_day on masav_runs (company_id, direction, created_at desc);
select secure_table('masav_runs', 'select, insert');
grant update (collected_at) on masav_runs to pinkas_app;

create table masav_lines (
  company_id uuid not null,
  run_id uuid not null,
  line integer not null check (line > 0),
  party_id uuid not null,
  name text not null,
  bank text not null,
  branch text not null,
  account text not null,
  amount_agorot bigint not null check (amount_agorot > 0),
  reference text not null,
  supplier_payment_id uuid,
  -- Of a debit: what it is to close, and the receipt once it came.
  document_id uuid,
  receipt_id uuid,
  returned_on date,
  return_reason text not null default '' check (length(return_reason) <= 200),
  primary key (company_id, run_id, line),
  foreign key (company_id, run_id) references masav_runs (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id),
  foreign key (company_id, supplier_payment_id) references supplier_payments (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id),
  foreign key (company_id, receipt_id) references documents (company_id, id),
  check (num_nonnulls(supplier_payment_id, document_id) = 1)
);
create index masav_lines_by_reference on masav_lines (company_id, reference);
create index masav_lines_of_party on masav_lines (company_id, party_id);
create index masav_lines_of_payment on masav_lines (company_id, supplier_payment_id) where supplier_payment_id is not null;
-- An invoice waits in one debit at a time.
create unique index masav_debits_once on masav_lines (company_id, document_id) where document_id is not null and receipt_id is null and returned_on is null;
select secure_table('masav_lines', 'select, insert');
grant update (receipt_id, returned_on, return_reason) on masav_lines to pinkas_app;

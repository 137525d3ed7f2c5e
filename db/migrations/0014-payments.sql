-- Money in and out: cheques and cash brought to the bank, money that came back, payments to suppliers with the tax withheld from them.

-- A deposit slip. What it took stays told when it is undone.
create table deposits (
  company_id uuid not null references companies,
  id uuid not null,
  number bigint not null,
  day date not null,
  -- The bank account it went to, as an account of the books.
  account_id uuid not null,
  cheques_agorot bigint not null check (cheques_agorot >= 0),
  cash_agorot bigint not null check (cash_agorot >= 0),
  reference text not null default '' check (length(reference) <= 40),
  notes text not null default '' check (length(notes) <= 200),
  entry_id uuid not null,
  cancelled_at timestamptz,
  cancel_entry_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number),
  foreign key (company_id, account_id) references accounts (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, cancel_entry_id) references entries (company_id, id),
  check (cheques_agorot + cash_agorot > 0),
  check ((cancelled_at is null) = (cancel_entry_id is null))
);
create index deposits_by_day on deposits (company_id, day desc, id desc);
select secure_table('deposits', 'select, insert, update');
-- A slip is of the whole business: whoever sees some customers only does not see it.
create policy own_customers on deposits as restrictive to pinkas_own using (false);

create table deposit_payments (
  company_id uuid not null,
  deposit_id uuid not null,
  payment_id uuid not null,
  primary key (company_id, deposit_id, payment_id),
  foreign key (company_id, deposit_id) references deposits (company_id, id),
  foreign key (company_id, payment_id) references document_payments (company_id, id)
);
create index deposits_of_payment on deposit_payments (company_id, payment_id);
select secure_table('deposit_payments', 'select, insert');
create policy own_customers on deposit_payments as restrictive to pinkas_own using (false);

-- Money that did not stay: a cheque the bank sent back, a debit that was returned, a cheque given back before it was deposited.
create table payment_returns (
  company_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('bounced', 'given')),
  day date not null,
  reason text not null default '' check (length(reason) <= 200),
  -- What the bank took for it.
  fee_agorot bigint not null default 0 check (fee_agorot >= 0),
  entry_id uuid not null,
  -- Of payment requests: what was asked anew, [{id, agorot}], so that taking it back can answer them again.
  asked jsonb not null default '[]',
  undone_at timestamptz,
  undo_entry_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, payment_id) references document_payments (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, undo_entry_id) references entries (company_id, id),
  check ((undone_at is null) = (undo_entry_id is null))
);
create unique index payment_returned_once on payment_returns (company_id, payment_id) where undone_at is null;
select secure_table('payment_returns', 'select, insert, update');
create policy own_customers on payment_returns as restrictive to pinkas_own
  using (exists (select 1 from document_payments y where y.company_id = payment_returns.company_id and y.id = payment_returns.payment_id));

alter table document_payments add foreign key (company_id, deposit_id) references deposits (company_id, id);
create index payments_by_day on document_payments (company_id, day desc, id desc);
create index payments_of_deposit on document_payments (company_id, deposit_id) where deposit_id is not null;

-- One payment to a supplier for one bill or many: what the bills fall by, the tax withheld from it, what left the business.
create table supplier_payments (
  company_id uuid not null references companies,
  id uuid not null,
  number bigint not null,
  supplier_id uuid not null,
  day date not null,
  means text not null check (means in ('cash', 'bank', 'card', 'cheque', 'owner')),
  reference text not null default '' check (length(reference) <= 40),
  -- Negative when the supplier gave money back.
  gross_agorot bigint not null,
  withheld_agorot bigint not null default 0 check (withheld_agorot >= 0),
  net_agorot bigint not null,
  -- By what the tax was withheld; null when the business withholds none.
  withheld_bp integer check (withheld_bp between 0 and 10000),
  withholding_reason text,
  certificate_id uuid,
  -- Set by hand in place of what the certificate says.
  by_hand boolean not null default false,
  entry_id uuid not null,
  cancelled_at timestamptz,
  cancel_entry_id uuid,
  sent_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number),
  foreign key (company_id, supplier_id) references parties (company_id, id),
  foreign key (company_id, certificate_id) references withholding_certificates (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, cancel_entry_id) references entries (company_id, id),
  check (net_agorot = gross_agorot - withheld_agorot),
  check (withheld_agorot <= greatest(gross_agorot, 0)),
  check ((cancelled_at is null) = (cancel_entry_id is null))
);
create index supplier_payments_by_day on supplier_payments (company_id, day desc, id desc);
create index supplier_payments_of on supplier_payments (company_id, supplier_id, day desc);
create index supplier_payments_entry on supplier_payments (company_id, entry_id);
select secure_table('supplier_payments', 'select, insert, update');

alter table expense_payments
  add column supplier_payment_id uuid,
  add foreign key (company_id, supplier_payment_id) references supplier_payments (company_id, id);
create index expense_payments_of on expense_payments (company_id, supplier_payment_id) where supplier_payment_id is not null;

-- The next number of something that is no document (a deposit slip, a payment to a supplier), under its row's lock.
create function next_number(company uuid, of_series text, on_day date) returns bigint language sql as $$
  insert into number_series as s (company_id, series, next_number, last_day) values (company, of_series, 2, on_day)
  on conflict (company_id, series) do update set next_number = s.next_number + 1, last_day = greatest(s.last_day, excluded.last_day)
  returning next_number - 1 $$;

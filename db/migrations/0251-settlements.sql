-- What acquirers say of a day beside what we know of it: every deal of theirs and every charge of ours is a row, each difference has a name; and the money
-- that came to the bank, with the fee that was kept of it.

create table acquirer_days (
  company_id uuid not null,
  terminal_id uuid not null,
  day date not null,
  source text not null check (source in ('api', 'file')),
  taken_at timestamptz not null,
  deals integer not null default 0,
  primary key (company_id, terminal_id, day),
  foreign key (company_id, terminal_id) references terminals (company_id, id)
);
select secure_table('acquirer_days', 'select, insert, update');

create table acquirer_deals (
  company_id uuid not null,
  id uuid not null,
  terminal_id uuid not null,
  -- One deal of theirs, or one charge of ours that they do not tell of.
  ref text not null check (length(ref) between 1 and 140),
  day date not null,
  uid text not null default '' check (length(uid) <= 100),
  -- As they tell it; below zero: money that went back. null: they do not tell of it.
  told_agorot bigint,
  -- As we know it; null: we know nothing of it.
  own_agorot bigint,
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  last4 text not null default '' check (length(last4) <= 8),
  charge_id uuid,
  refund_id uuid,
  state text not null check (state in ('matched', 'unknown', 'missing', 'sum', 'currency', 'explained')),
  note text not null default '' check (length(note) <= 300),
  explained_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, terminal_id, ref),
  foreign key (company_id, terminal_id) references terminals (company_id, id),
  foreign key (company_id, charge_id) references charges (company_id, id),
  foreign key (company_id, refund_id) references charge_refunds (company_id, id),
  check (told_agorot is not null or own_agorot is not null),
  check (state <> 'explained' or note <> '')
);
create index acquirer_deals_by_day on acquirer_deals (company_id, day desc);
create index acquirer_deals_of_charge on acquirer_deals (company_id, charge_id);
select secure_table('acquirer_deals', 'select, insert, update, delete');

create table acquirer_deposits (
  company_id uuid not null,
  id uuid not null,
  terminal_id uuid not null,
  -- Of theirs; of one that was typed in, ours.
  external_id text not null check (length(external_id) between 1 and 100),
  day date not null,
  net_agorot bigint not null check (net_agorot > 0),
  fee_agorot bigint not null default 0 check (fee_agorot >= 0),
  fee_vat_agorot bigint not null default 0 check (fee_vat_agorot >= 0),
  state text not null default 'found' check (state in ('found', 'booked')),
  bank_account_id uuid,
  entry_id uuid,
  expense_id uuid,
  match_id uuid,
  booked_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, terminal_id, external_id),
  foreign key (company_id, terminal_id) references terminals (company_id, id),
  foreign key (company_id, bank_account_id) references bank_accounts (company_id, id),
  foreign key (company_id, expense_id) references expenses (company_id, id),
  check ((state = 'booked') = (entry_id is not null))
);
create index acquirer_deposits_by_day on acquirer_deposits (company_id, day desc);
select secure_table('acquirer_deposits', 'select, insert, update');

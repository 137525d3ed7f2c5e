-- Affiliates are paid by themselves on a day of each month that the operator sets; what came of each of them stays written down.
create table affiliate_pay_days (
  company_id uuid primary key references companies,
  day smallint not null check (day between 1 and 28),
  next_on date not null,
  set_by uuid references users,
  leased_until timestamptz
);
select secure_table('affiliate_pay_days', 'select, insert, update, delete');

create table affiliate_pay_turns (
  company_id uuid not null,
  -- The day that was set, on which he had his turn once.
  on_day date not null,
  affiliate_id uuid not null,
  outcome text not null check (outcome in ('paid', 'noTaxId', 'noAccount', 'accountChanged', 'refused')),
  -- Why it was refused: a word of errors, and what fills its gaps.
  refusal jsonb,
  amount_agorot bigint not null,
  at timestamptz not null default now(),
  primary key (company_id, on_day, affiliate_id),
  foreign key (company_id, affiliate_id) references affiliates (company_id, affiliate_id)
);
select secure_table('affiliate_pay_turns', 'select, insert');

-- What was reported of a period's advance on income tax, as it was worked out on that day: later papers change the next report and not this one.
create table advance_filings (
  company_id uuid not null references companies,
  period_from date not null,
  period_to date not null,
  turnover_agorot bigint not null,
  rate_bp integer not null check (rate_bp between 0 and 10000),
  withheld_agorot bigint not null,
  to_pay_agorot bigint not null check (to_pay_agorot >= 0),
  filed_by uuid references users,
  filed_at timestamptz not null default now(),
  primary key (company_id, period_from),
  check (period_to >= period_from)
);
select secure_table('advance_filings', 'select, insert');

-- What a business means to earn and to spend: a sum for each account of income or expense and each month, so that real figures can stand beside it.
create table budget_sums (
  company_id uuid not null references companies,
  account_id uuid not null,
  month date not null check (extract(day from month) = 1),
  -- Positive as the account grows: income and expense alike.
  amount_agorot bigint not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, account_id, month),
  foreign key (company_id, account_id) references accounts (company_id, id)
);
create index budget_of_months on budget_sums (company_id, month);
select secure_table('budget_sums', 'select, insert, update, delete');
create policy own_customers on budget_sums as restrictive to pinkas_own using (false);

-- What the books cannot know of the cash to come: sums a person types in (wages, a loan, what the owner takes), and recurring bills he does not count on.
create table forecast_sums (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  -- Comes with a plus, goes with a minus.
  amount_agorot bigint not null check (amount_agorot <> 0),
  cycle text not null check (cycle in ('once', 'weekly', 'monthly', 'twoMonthly', 'yearly')),
  first_day date not null,
  last_day date,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check (last_day >= first_day)
);
select secure_table('forecast_sums', 'select, insert, update, delete');
create policy own_customers on forecast_sums as restrictive to pinkas_own using (false);

-- Series of bills, by the key they are recognised by, that are left out of the forecast.
create table forecast_left_out (
  company_id uuid not null references companies,
  series text not null check (length(series) between 1 and 120),
  left_out_at timestamptz not null default now(),
  primary key (company_id, series)
);
select secure_table('forecast_left_out', 'select, insert, delete');
create policy own_customers on forecast_left_out as restrictive to pinkas_own using (false);

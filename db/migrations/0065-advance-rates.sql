-- The assessing officer sets the rate of advances anew from time to time, and what was worked out before stays as it was: a rate holds from its day
-- on. The one rate that a business had until now holds from the beginning.

create table advance_rates (
  company_id uuid not null references companies,
  id uuid not null,
  from_day date not null,
  rate_bp integer not null check (rate_bp between 0 and 10000),
  set_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, from_day)
);
select secure_table('advance_rates', 'select, insert, update, delete');

insert into advance_rates (company_id, id, from_day, rate_bp)
  select id, gen_random_uuid(), '2000-01-01', income_tax_advance_bp from companies where income_tax_advance_bp > 0;
alter table companies drop column income_tax_advance_bp;

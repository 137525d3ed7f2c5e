-- Rates of withholding that a business copied from the law stayed as they were when the law changed, and a rate of its own held for
-- payments of every earlier day. A business's own rates now begin on a day, and without one the law of the day of the payment holds.

-- From a day on: rates of the business's own, or those of the law again where both are empty.
create table withholding_rates (
  company_id uuid not null references companies,
  code text not null check (code ~ '^\d{2}$'),
  from_day date not null,
  rate_bp integer check (rate_bp between 0 and 10000),
  without_books_bp integer check (without_books_bp between 0 and 10000),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, code, from_day),
  foreign key (company_id, code) references withholding_codes (company_id, code),
  check ((rate_bp is null) = (without_books_bp is null) and without_books_bp >= rate_bp)
);
select secure_table('withholding_rates', 'select, insert, update');

-- What was entered last, and from which day.
alter table withholding_codes add column from_day date;
alter table withholding_codes alter column rate_bp drop not null, alter column without_books_bp drop not null;

-- What a business never changed is the law's; these are the rates that were copied. What it changed held for every day.
update withholding_codes set rate_bp = null, without_books_bp = null
where (code, rate_bp, without_books_bp) in (
  ('01', 2000, 3000), ('02', 2000, 3000), ('03', 2000, 3000), ('06', 2000, 3000),
  ('07', 2500, 2500), ('08', 2500, 2500), ('11', 2000, 3000), ('13', 3500, 3500));
update withholding_codes set from_day = '1900-01-01' where rate_bp is not null;
insert into withholding_rates (company_id, code, from_day, rate_bp, without_books_bp)
select company_id, code, from_day, rate_bp, without_books_bp from withholding_codes where rate_bp is not null;

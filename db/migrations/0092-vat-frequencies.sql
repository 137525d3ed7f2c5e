-- Whoever goes over from reporting VAT every two months to every month, or back, does so from a day on: periods before it stay what they were, for the
-- VAT return and for advances alike. A business without a row here has reported as it does now all along.

create table vat_frequencies (
  company_id uuid not null references companies,
  from_day date not null check (extract(day from from_day) = 1),
  months smallint not null check (months in (1, 2)),
  set_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, from_day)
);
select secure_table('vat_frequencies', 'select, insert, update, delete');

-- What was reported until now tells how often it was.
with filed as (
    select company_id, from_day, to_day, (extract(year from age(to_day + 1, from_day)) * 12 + extract(month from age(to_day + 1, from_day)))::int as months
    from vat_filings where reopened_at is null),
  told as (
    select company_id, from_day, months from filed where months in (1, 2)
    -- After the last report it is as the settings say.
    union all select f.company_id, max(f.to_day) + 1, c.vat_period_months from filed f join companies c on c.id = f.company_id group by f.company_id, c.vat_period_months),
  turned as (select *, lag(months) over (partition by company_id order by from_day) as before from told)
insert into vat_frequencies (company_id, from_day, months)
  select t.company_id, case when t.before is null then date '1900-01-01' else t.from_day end, t.months from turned t
  where (t.before is null or t.before <> t.months) and exists (select 1 from turned o where o.company_id = t.company_id and o.before <> o.months);

-- On cash basis a payment counts in the first period that is open when it is entered. A payment begun before a report was made waits for it and is
-- not in it: its moment is the one at which it was let in, not the one at which it began.
create function stamp_settlement() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from companies where id = new.company_id for key share;
  new.created_at := clock_timestamp();
  return new;
end $$;
create trigger stamp_settlement before insert on settlements for each row execute function stamp_settlement();

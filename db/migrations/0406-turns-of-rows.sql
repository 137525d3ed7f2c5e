-- What comes back by itself says in its row when its turn is: the job that wakes it is tried eight times only and is in no backup. Whoever serves a row leaves word for how long.
alter table committee_buildings add column leased_until timestamptz;
alter table reminder_plans add column leased_until timestamptz;
alter table report_plans add column leased_until timestamptz;
-- The month whose package is sent next.
alter table accountants add column next_month date check (extract(day from next_month) = 1), add column leased_until timestamptz;
-- The month that is waited for, or that was tried in vain; what was planned and lost begins again with the month that is over last.
update accountants a set next_month = coalesce(
  (select max((o.payload ->> 'month')::date) from outbox o where o.company_id = a.company_id and o.name = 'accountant.package' and o.done_at is null
    and o.payload ->> 'id' = a.id::text and (o.payload ->> 'plan')::integer = a.plan),
  (date_trunc('month', now() at time zone 'Asia/Jerusalem') - case when extract(day from now() at time zone 'Asia/Jerusalem') < a.send_day then interval '1 month' else interval '0' end)::date)
  where a.send_day is not null and a.archived_at is null;
create index reminder_plans_turn on reminder_plans (next_at) where is_on;
create index report_plans_turn on report_plans (next_at) where is_on;

-- A bill that comes back does not come every time: a person says that there is none this time, and why, and it is not missed any longer. And it
-- comes to an end: after its last day nothing is awaited.

alter table recurring_expenses add column last_day date;
alter table recurring_expenses add check (last_day >= first_day);

create table recurring_skips (
  company_id uuid not null references companies,
  id uuid not null,
  recurring_id uuid not null,
  -- The day its bill was expected on.
  day date not null,
  reason text not null check (length(reason) between 1 and 200),
  skipped_by uuid,
  -- It comes after all.
  taken_back_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, recurring_id) references recurring_expenses (company_id, id)
);
create unique index recurring_skips_standing on recurring_skips (company_id, recurring_id, day) where taken_back_at is null;
select secure_table('recurring_skips', 'select, insert');
grant update (taken_back_at) on recurring_skips to pinkas_app;

-- The day the next bill is awaited: after the last one that came and the last one that was said not to come; null when nothing is awaited any more.
create function awaited_day(r recurring_expenses) returns date language sql stable as $$
  select case when d > r.last_day then null else d end from (select next_expected(r.first_day, r.cycle, greatest(
    (select max(e.recurring_day) from expenses e
      where e.company_id = r.company_id and e.recurring_id = r.id and e.state not in ('rejected', 'cancelled')),
    (select max(s.day) from recurring_skips s where s.company_id = r.company_id and s.recurring_id = r.id and s.taken_back_at is null)))) n (d) $$;

-- A house is handed over as a package: what was in it that day stays as it was, and whoever takes it has a page of his own to see it, have it as files and say that he took it.
alter table committee_handovers
  add column given_by uuid references users,
  add column to_email text not null default '' check (length(to_email) <= 254),
  -- Residents, debts, levies, the rate and every movement of the till, as they stood.
  add column package jsonb not null default '{}',
  add column page_key text unique check (length(page_key) between 20 and 100),
  add column closes_on date,
  add column taken_at timestamptz;
-- What was handed over never changes; its page is closed or opened anew, and it is taken once.
grant update (page_key, closes_on, taken_at) on committee_handovers to pinkas_app;

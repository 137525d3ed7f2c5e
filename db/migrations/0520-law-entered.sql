-- What operators of the installation enter of the law between two releases: a new rate or ceiling, or the day to which a report was
-- postponed. Of the whole installation and of no business. Nothing is deleted: what was wrong is revoked, and stands with both names.
create table law_entries (
  id uuid primary key,
  key text not null check (length(key) between 1 and 60),
  from_day date not null,
  to_day date not null,
  -- Whole agorot, hundredths of a per cent, or a day.
  value text not null check (value ~ '^([0-9]{1,15}|[0-9]{4}-[0-9]{2}-[0-9]{2})$'),
  -- Where it was published.
  source text not null check (length(source) between 3 and 300),
  by_user uuid not null references users,
  at timestamptz not null default now(),
  revoked_by uuid references users,
  revoked_at timestamptz,
  revoked_why text not null default '' check (length(revoked_why) <= 300),
  check (to_day >= from_day),
  check ((revoked_at is null) = (revoked_by is null))
);
create index law_entries_standing on law_entries (key, from_day) where revoked_at is null;
grant select on law_entries to pinkas_app;

-- Programs that want to hear what happens: addresses, what each hears of, and what was sent to it. What is to be sent is written by the statement that
-- tells the event, so nothing that was committed is ever left out.
create table webhook_endpoints (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null default '' check (length(name) <= 80),
  url text not null check (length(url) between 10 and 1000),
  -- Names of events; '*' after a dot or alone stands for all of them.
  events text[] not null check (cardinality(events) between 1 and 100),
  -- The same as LIKE asks.
  patterns text[] not null check (cardinality(patterns) between 1 and 100),
  -- {"sumAgorot": at least, "fields": {"type": ["8"]}}
  filter jsonb not null default '{}' check (jsonb_typeof(filter) = 'object' and pg_column_size(filter) < 4000),
  payload text not null default 'thin' check (payload in ('thin', 'full')),
  api_version text not null check (length(api_version) = 10),
  secret_sealed bytea not null,
  -- The one before: both sign until then.
  old_secret_sealed bytea,
  old_until timestamptz,
  state text not null default 'on' check (state in ('on', 'off')),
  -- Why it is off: a person, the receiver said that it is gone, days of failures only, or whose eyes it sees with is gone.
  off_why text check (off_why in ('person', 'gone', 'failing', 'owner')),
  off_at timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  warned_at timestamptz,
  last_sent_at timestamptz,
  -- The receiver asked for a rest, or for fewer at once.
  rest_until timestamptz,
  -- One process sends to an address at a time; when it dies the lease ends.
  leased_until timestamptz,
  leased_by uuid,
  -- Whose rights it has.
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id),
  check ((state = 'off') = (off_why is not null)),
  check ((old_secret_sealed is null) = (old_until is null))
);
select secure_table('webhook_endpoints', 'select, insert, update');
create policy own_customers on webhook_endpoints as restrictive to pinkas_own using (created_by = current_person());

create table webhook_deliveries (
  company_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'skipped')),
  -- Of the schedule; sending again begins it anew.
  tries smallint not null default 0,
  -- Of all of them, for the log.
  tried integer not null default 0,
  next_at timestamptz not null default now(),
  -- Of the last try: the answer's status, or what went wrong before there was one; or why it was left out.
  status_code smallint,
  outcome text not null default '' check (length(outcome) <= 60),
  ms integer,
  done_at timestamptz,
  -- What was sent last.
  body text,
  primary key (company_id, endpoint_id, event_id),
  foreign key (company_id, endpoint_id) references webhook_endpoints (company_id, id),
  foreign key (company_id, event_id) references events (company_id, id) on delete cascade
) with (fillfactor = 80);
select secure_table('webhook_deliveries', 'select, insert, update');
create policy own_customers on webhook_deliveries as restrictive to pinkas_own
  using (exists (select 1 from webhook_endpoints e where e.company_id = webhook_deliveries.company_id and e.id = endpoint_id));
create index webhook_deliveries_due on webhook_deliveries (company_id, endpoint_id, next_at) where state = 'waiting';
create index webhook_deliveries_of_event on webhook_deliveries (company_id, event_id);

create table webhook_tries (
  company_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  no integer not null,
  at timestamptz not null,
  ms integer not null,
  status_code smallint,
  outcome text not null default '' check (length(outcome) <= 60),
  -- The beginning of the answer.
  answer text not null default '' check (length(answer) <= 1000),
  primary key (company_id, endpoint_id, event_id, no),
  foreign key (company_id, endpoint_id, event_id) references webhook_deliveries (company_id, endpoint_id, event_id) on delete cascade
);
select secure_table('webhook_tries', 'select, insert');
create policy own_customers on webhook_tries as restrictive to pinkas_own
  using (exists (select 1 from webhook_endpoints e where e.company_id = webhook_tries.company_id and e.id = endpoint_id));

-- Who listens gets his row with the event. As the owner: whoever did it may not see who listens.
create function webhooks_hear() returns trigger language plpgsql security definer set search_path = public set plan_cache_mode = force_generic_plan as $$
begin
  insert into webhook_deliveries (company_id, endpoint_id, event_id)
  select e.company_id, e.id, f.id from fresh f join webhook_endpoints e on e.company_id = f.company_id
  where e.state = 'on' and e.archived_at is null and f.name like any (e.patterns) and f.name <> 'webhook.test';
  return null;
end $$;
create trigger webhooks_hear after insert on events referencing new table as fresh for each statement execute function webhooks_hear();

-- A test is told to one address, whatever it and others chose.
create function tell_test(company uuid, endpoint uuid) returns uuid language plpgsql security definer set search_path = public as $$
declare
  made uuid := new_event_id();
begin
  insert into events (company_id, id, name, entity, entity_id, version, by_user)
  values (company, made, 'webhook.test', 'webhooks', endpoint, new_event_version(), current_person());
  insert into webhook_deliveries (company_id, endpoint_id, event_id) values (company, endpoint, made);
  return made;
end $$;

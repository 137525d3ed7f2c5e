-- Copies outside: whatever is issued, every picture of an expense and every report that leaves by itself is laid in a place of the business's own, in
-- folders by a pattern. A row per copy and place, so that nothing is laid twice, whatever dies in between.
create table drive_targets (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null check (kind in ('google', 'webdav', 's3')),
  name text not null check (length(name) between 1 and 80),
  -- revoked: consent was taken back, or the keys are refused. full: there is no room; it is tried again by itself.
  state text not null default 'on' check (state in ('on', 'off', 'revoked', 'full')),
  -- Address, region, bucket; nothing secret.
  place jsonb not null default '{}' check (jsonb_typeof(place) = 'object' and pg_column_size(place) < 4000),
  secret_sealed bytea not null,
  what text[] not null check (cardinality(what) between 1 and 3 and what <@ '{documents,expenses,reports}'),
  pattern text not null default '{year}/{month}/{type}' check (length(pattern) between 1 and 120),
  rest_until timestamptz,
  last_error text not null default '' check (length(last_error) <= 200),
  last_done_at timestamptz,
  told_at timestamptz,
  leased_until timestamptz,
  leased_by uuid,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id)
);
select secure_table('drive_targets', 'select, insert, update');

create table drive_copies (
  company_id uuid not null,
  target_id uuid not null,
  entity text not null check (entity in ('documents', 'expenses', 'reports')),
  entity_id uuid not null,
  -- waiting: to be laid. asked: it was begun; remote_id says under what. failed: for good, with the reason. nothing: there is no file.
  state text not null default 'waiting' check (state in ('waiting', 'asked', 'done', 'failed', 'nothing')),
  path text not null default '' check (length(path) <= 500),
  -- Of the files, together.
  sha256 bytea check (length(sha256) = 32),
  size_bytes bigint,
  -- What the place knows it by, taken before it is sent, and where an upload that was cut goes on.
  remote_id text not null default '' check (length(remote_id) <= 200),
  session_sealed bytea,
  tries smallint not null default 0,
  next_at timestamptz not null default now(),
  error text not null default '' check (length(error) <= 200),
  created_at timestamptz not null default now(),
  done_at timestamptz,
  primary key (company_id, target_id, entity, entity_id),
  foreign key (company_id, target_id) references drive_targets (company_id, id)
);
create index drive_copies_due on drive_copies (company_id, target_id, next_at) where state in ('waiting', 'asked');
create index drive_copies_newest on drive_copies (company_id, target_id, created_at desc);
select secure_table('drive_copies', 'select, insert, update');

-- Folders that were made at a place which knows them by ids of its own.
create table drive_folders (
  company_id uuid not null,
  target_id uuid not null,
  path text not null check (length(path) <= 500),
  remote_id text not null check (length(remote_id) <= 200),
  primary key (company_id, target_id, path),
  foreign key (company_id, target_id) references drive_targets (company_id, id)
);
select secure_table('drive_folders', 'select, insert, update, delete');

-- Consent is being asked for: the key that must come back and the half of the proof that stays here (PKCE, RFC 7636).
create table drive_ties (
  company_id uuid not null references companies,
  id_hash bytea not null,
  verifier_sealed bytea not null,
  user_id uuid not null references users,
  expires_at timestamptz not null,
  primary key (company_id, id_hash)
);
select secure_table('drive_ties', 'select, insert, delete');

-- Each place gets its row with the event, as webhooks do. As the owner: whoever issues may not see where copies go.
create function drive_hears() returns trigger language plpgsql security definer set search_path = public set plan_cache_mode = force_generic_plan as $$
begin
  insert into drive_copies (company_id, target_id, entity, entity_id)
  select t.company_id, t.id, f.entity, f.entity_id from fresh f join drive_targets t on t.company_id = f.company_id
  where t.archived_at is null and t.state <> 'off' and f.entity_id is not null
    and (f.name = 'document.issued' and 'documents' = any (t.what) or f.name in ('expense.created', 'expense.approved') and 'expenses' = any (t.what))
  on conflict do nothing;
  return null;
end $$;
create trigger drive_hears after insert on events referencing new table as fresh for each statement execute function drive_hears();

create function drive_hears_reports() returns trigger language plpgsql security definer set search_path = public set plan_cache_mode = force_generic_plan as $$
begin
  insert into drive_copies (company_id, target_id, entity, entity_id)
  select distinct on (t.id, f.plan_id, f.due_day) t.company_id, t.id, 'reports', f.id from fresh f join drive_targets t on t.company_id = f.company_id
  where f.outcome = 'queued' and t.archived_at is null and t.state <> 'off' and 'reports' = any (t.what)
    -- A report that goes to three people is one report.
    and not exists (select 1 from report_plan_log o where o.company_id = f.company_id and o.plan_id = f.plan_id and o.due_day is not distinct from f.due_day
      and o.outcome = 'queued' and o.id < f.id and o.at > f.at - interval '10 minutes')
  order by t.id, f.plan_id, f.due_day, f.id
  on conflict do nothing;
  return null;
end $$;
create trigger drive_hears_reports after insert on report_plan_log referencing new table as fresh for each statement execute function drive_hears_reports();

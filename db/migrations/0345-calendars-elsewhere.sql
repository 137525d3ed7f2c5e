-- Calendars that trainers and places have elsewhere: when they are busy there, without what it is.
create table outside_calendars (
  company_id uuid not null references companies,
  id uuid not null,
  trainer_id uuid,
  place_id uuid,
  name text not null check (length(name) between 1 and 80),
  way text not null check (way in ('address', 'file')),
  -- Whoever knows the address reads the calendar: it is sealed, and only its host is shown.
  url_sealed bytea,
  url_hash bytea not null,
  host text not null default '' check (length(host) <= 255),
  state text not null default 'new' check (state in ('new', 'read', 'failed')),
  -- The word of what went wrong at the last try.
  problem text not null default '' check (length(problem) <= 40),
  spans integer not null default 0,
  -- Of its events, how many could not be understood.
  skipped integer not null default 0,
  -- So far ahead it was read.
  until_day date,
  read_at timestamptz,
  tried_at timestamptz,
  fails smallint not null default 0,
  -- When it is read again; never, where it came as a file.
  next_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, trainer_id) references class_trainers (company_id, id),
  foreign key (company_id, place_id) references class_places (company_id, id),
  check (num_nonnulls(trainer_id, place_id) = 1),
  check ((way = 'address') = (url_sealed is not null))
);
create unique index outside_calendars_once on outside_calendars (company_id, coalesce(trainer_id, place_id), url_hash);
create index outside_calendars_due on outside_calendars (next_at) where next_at is not null;
select secure_table('outside_calendars', 'select, insert, update, delete');

alter table class_blocks add column outside_id uuid, add foreign key (company_id, outside_id) references outside_calendars (company_id, id);
create index class_blocks_outside on class_blocks (company_id, outside_id) where outside_id is not null;

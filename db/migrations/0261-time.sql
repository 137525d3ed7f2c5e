-- Hours of work: what was agreed with whom from a day on, when somebody clocked, what he asks to correct, when he was away, and the sheet of a month that both sign.

create table time_settings (
  company_id uuid primary key references companies,
  -- The employer asks where somebody clocks; each worker agrees for himself.
  asks_place boolean not null default false,
  updated_at timestamptz not null default now()
);
select secure_table('time_settings', 'select, insert, update');

-- A worker's own consent to telling where he clocks.
create table time_consents (
  company_id uuid not null,
  person_id uuid not null,
  place boolean not null,
  at timestamptz not null default now(),
  primary key (company_id, person_id),
  foreign key (company_id, person_id) references memberships (company_id, user_id)
);
select secure_table('time_consents', 'select, insert, update');

create table work_terms (
  company_id uuid not null,
  person_id uuid not null,
  from_day date not null,
  days smallint not null check (days in (5, 6)),
  short_day smallint not null check (short_day between 0 and 6),
  rest_day smallint not null check (rest_day in (0, 5, 6)),
  day_minutes integer check (day_minutes between 60 and 720),
  overtime boolean not null default true,
  -- Of an hour, before VAT and tax; for the sheet and for payroll.
  hour_agorot bigint check (hour_agorot between 0 and 10000000),
  set_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, person_id, from_day),
  foreign key (company_id, person_id) references memberships (company_id, user_id)
);
select secure_table('work_terms', 'select, insert, update, delete');

create table clockings (
  company_id uuid not null,
  -- Made where it was pressed, so that what is sent twice is one.
  id uuid not null,
  person_id uuid not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  project_id uuid,
  customer_id uuid,
  task text not null default '' check (length(task) <= 200),
  source text not null default 'clock' check (source in ('clock', 'offline', 'correction')),
  -- Where it began, when both sides agreed that it is told: degrees, to about ten metres.
  latitude numeric(7, 4) check (latitude between -90 and 90),
  longitude numeric(7, 4) check (longitude between -180 and 180),
  -- The paper on which a customer was charged for it; at most one.
  document_id uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references memberships (company_id, user_id),
  foreign key (company_id, project_id) references projects (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id) on delete set null (document_id),
  check (ended_at > started_at and ended_at <= started_at + interval '16 hours')
);
-- One clock runs for a person at a time.
create unique index clockings_open on clockings (company_id, person_id) where ended_at is null and archived_at is null;
create index clockings_by_person on clockings (company_id, person_id, started_at desc) where archived_at is null;
create index clockings_by_time on clockings (company_id, started_at desc) where archived_at is null;
create index clockings_of_document on clockings (company_id, document_id) where document_id is not null;
create index clockings_of_customer on clockings (company_id, customer_id) where customer_id is not null;
create index clockings_of_project on clockings (company_id, project_id) where project_id is not null;
select secure_table('clockings', 'select, insert, update');

-- Each press of a clock, once; what was refused stays refused however often it is sent.
create table clock_presses (
  company_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  deed text not null check (deed in ('in', 'out')),
  at timestamptz not null,
  clocking_id uuid,
  refused text not null default '',
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references memberships (company_id, user_id)
);
select secure_table('clock_presses', 'select, insert');

create table time_requests (
  company_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  kind text not null check (kind in ('add', 'change', 'remove')),
  clocking_id uuid,
  started_at timestamptz,
  ended_at timestamptz,
  project_id uuid,
  reason text not null check (length(reason) between 1 and 300),
  state text not null default 'asked' check (state in ('asked', 'approved', 'refused', 'withdrawn')),
  decided_by uuid,
  decided_at timestamptz,
  answer text not null default '' check (length(answer) <= 300),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references memberships (company_id, user_id),
  foreign key (company_id, clocking_id) references clockings (company_id, id),
  foreign key (company_id, project_id) references projects (company_id, id),
  check ((kind = 'remove') = (started_at is null) and (started_at is null) = (ended_at is null)),
  check ((kind = 'add') = (clocking_id is null))
);
create index time_requests_of on time_requests (company_id, state, created_at desc);
-- One request about a clocking waits at a time.
create unique index time_requests_waiting on time_requests (company_id, clocking_id) where state = 'asked' and clocking_id is not null;
select secure_table('time_requests', 'select, insert, update');

create table absences (
  company_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  kind text not null check (kind in ('vacation', 'sick', 'reserve', 'other')),
  from_day date not null,
  to_day date not null,
  note text not null default '' check (length(note) <= 300),
  archived_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references memberships (company_id, user_id),
  check (from_day <= to_day and to_day <= from_day + 366)
);
create index absences_of on absences (company_id, person_id, from_day) where archived_at is null;
select secure_table('absences', 'select, insert, update');

-- A month of a worker as both signed it: its figures are kept as they were.
create table time_sheets (
  company_id uuid not null,
  person_id uuid not null,
  month date not null check (extract(day from month) = 1),
  figures jsonb not null,
  worker_at timestamptz,
  approved_at timestamptz,
  approved_by uuid,
  updated_at timestamptz not null default now(),
  primary key (company_id, person_id, month),
  foreign key (company_id, person_id) references memberships (company_id, user_id)
);
select secure_table('time_sheets', 'select, insert, update');

-- What both signed is not changed underneath: it is opened again first.
create function clocking_in_signed_month() returns trigger language plpgsql as $$
declare
  at timestamptz := case when tg_op = 'INSERT' then new.started_at else old.started_at end;
begin
  if tg_op = 'UPDATE' and (new.started_at, new.ended_at, new.archived_at, new.person_id) is not distinct from (old.started_at, old.ended_at, old.archived_at, old.person_id) then
    return new;
  end if;
  if exists (select 1 from time_sheets s where s.company_id = new.company_id and s.person_id = new.person_id and s.approved_at is not null
      and s.month in (date_trunc('month', at at time zone 'Asia/Jerusalem')::date, date_trunc('month', new.started_at at time zone 'Asia/Jerusalem')::date)) then
    raise exception 'signed' using errcode = 'PK262';
  end if;
  return new;
end $$;
create trigger clocking_in_signed_month before insert or update on clockings for each row execute function clocking_in_signed_month();

-- No minute is worked twice. One person's clockings are written one after another, under a lock on his membership.
create function clocking_overlaps() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.archived_at is not null then return new; end if;
  perform 1 from memberships m where m.company_id = new.company_id and m.user_id = new.person_id for no key update;
  if exists (select 1 from clockings c where c.company_id = new.company_id and c.person_id = new.person_id and c.id <> new.id and c.archived_at is null
      and c.started_at < coalesce(new.ended_at, 'infinity') and coalesce(c.ended_at, 'infinity') > new.started_at) then
    raise exception 'overlap' using errcode = 'PK263';
  end if;
  return new;
end $$;
create trigger clocking_overlaps before insert or update of started_at, ended_at, archived_at on clockings for each row execute function clocking_overlaps();

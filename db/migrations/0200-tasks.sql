-- Work that people give each other: tasks on boards, with what is to be ticked off in them, what is said about them and what they hang on.
create table boards (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  -- Rows across the columns: by whom it is done, or how urgent it is.
  lanes text not null default 'none' check (lanes in ('none', 'owner', 'priority')),
  -- Where a task lands that names no board; there is one.
  is_main boolean not null default false,
  -- When what the product makes by itself was looked for last.
  looked_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index boards_main on boards (company_id) where is_main;
select secure_table('boards', 'select, insert, update');

create table board_columns (
  company_id uuid not null,
  board_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 40),
  position smallint not null,
  -- More cards than this are refused.
  card_limit smallint check (card_limit between 1 and 999),
  -- What lies here is done.
  is_done boolean not null default false,
  primary key (company_id, id),
  foreign key (company_id, board_id) references boards (company_id, id),
  unique (company_id, board_id, id)
);
select secure_table('board_columns', 'select, insert, update, delete');

create table tasks (
  company_id uuid not null references companies,
  id uuid not null,
  title text not null check (length(title) between 1 and 300),
  notes text not null default '' check (length(notes) <= 10000),
  owner_id uuid,
  created_by uuid not null default current_person(),
  watchers uuid[] not null default '{}' check (cardinality(watchers) <= 50),
  due_day date,
  due_time text check (due_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  priority text not null default 'normal' check (priority in ('high', 'normal', 'low')),
  board_id uuid not null,
  column_id uuid not null,
  -- A key between the keys of its neighbours; equal ones stand in the order of their ids.
  rank text collate "C" not null default 'a0' check (length(rank) <= 200),
  done_at timestamptz,
  done_by uuid,
  -- 'week:2': every second week.
  repeat text check (repeat ~ '^(day|workday|week|month|year):([1-9]|[1-9]\d)$'),
  -- The next one is made when this one is done, or when its day comes.
  repeat_when text not null default 'done' check (repeat_when in ('done', 'day')),
  -- Its days are counted from the days of the rule, or from the day it was done.
  repeat_from text not null default 'rule' check (repeat_from in ('rule', 'done')),
  series_id uuid,
  -- The day the rule gave it, whatever became of it since; each day of a series once.
  series_day date,
  remind_minutes integer check (remind_minutes between 0 and 43200),
  remind_at timestamptz,
  reminded_at timestamptz,
  customer_id uuid,
  lead_id uuid,
  document_id uuid,
  expense_id uuid,
  project_id uuid,
  waits_for_id uuid,
  -- What the product made it for: one task for one fact.
  made_kind text check (made_kind in ('quoteUnanswered', 'chequeToDeposit', 'certificateEnding', 'allocationMissing', 'leadNext')),
  made_for uuid,
  version integer not null default 1,
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, board_id, column_id) references board_columns (company_id, board_id, id),
  foreign key (company_id, owner_id) references memberships (company_id, user_id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id) on delete set null (document_id),
  foreign key (company_id, expense_id) references expenses (company_id, id),
  foreign key (company_id, project_id) references projects (company_id, id),
  foreign key (company_id, waits_for_id) references tasks (company_id, id),
  check (waits_for_id is distinct from id),
  check ((made_kind is null) = (made_for is null)),
  check ((repeat is null) or (due_day is not null))
);
create unique index tasks_made_once on tasks (company_id, made_kind, made_for) where made_kind is not null;
create unique index tasks_of_series on tasks (company_id, series_id, series_day) where series_id is not null;
create index tasks_on_board on tasks (company_id, board_id, column_id, rank, id) where archived_at is null;
create index tasks_of_owner on tasks (company_id, owner_id, due_day) where archived_at is null and done_at is null;
create index tasks_of_customer on tasks (company_id, customer_id, created_at desc, id desc) where customer_id is not null;
create index tasks_of_document on tasks (company_id, document_id) where document_id is not null;
create index tasks_of_expense on tasks (company_id, expense_id) where expense_id is not null;
create index tasks_of_project on tasks (company_id, project_id) where project_id is not null;
create index tasks_waiting_for on tasks (company_id, waits_for_id) where waits_for_id is not null;
-- Over all businesses: whom to remind, and whose next one is due.
create index tasks_to_remind on tasks (remind_at) where reminded_at is null and done_at is null and remind_at is not null and archived_at is null;
create index tasks_by_day on tasks (due_day) where repeat is not null and repeat_when = 'day' and archived_at is null;
select secure_table('tasks', 'select, insert, update');
create policy own_customers on tasks as restrictive to pinkas_own using (owner_id = current_person() or created_by = current_person()
  or current_person() = any (watchers));

-- The larger version is the newer, and a reminder follows the day. What changes nothing of the card itself takes one off beforehand.
create function task_kept() returns trigger language plpgsql as $$
begin
  -- Keys of a whole column written anew change nobody's place.
  if tg_op = 'UPDATE' and coalesce(current_setting('pinkas.reranks', true), '') <> 'on' then new.version := new.version + 1; end if;
  new.remind_at := case when new.remind_minutes is not null and new.due_day is not null
    then ((new.due_day + coalesce(new.due_time, '09:00')::time) at time zone 'Asia/Jerusalem') - make_interval(mins => new.remind_minutes) end;
  if tg_op = 'UPDATE' and new.remind_at is distinct from old.remind_at then new.reminded_at := null; end if;
  return new;
end $$;
create trigger task_kept before insert or update on tasks for each row execute function task_kept();

create table task_items (
  company_id uuid not null,
  task_id uuid not null,
  id uuid not null,
  text text not null check (length(text) between 1 and 300),
  position smallint not null default 0,
  done_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, task_id) references tasks (company_id, id)
);
create index items_of_task on task_items (company_id, task_id, position);
select secure_table('task_items', 'select, insert, update, delete');
create policy own_customers on task_items as restrictive to pinkas_own
  using (exists (select 1 from tasks t where t.company_id = task_items.company_id and t.id = task_id));

-- What others said is read and never changed.
create table task_comments (
  company_id uuid not null,
  task_id uuid not null,
  id uuid not null,
  by_user uuid not null default current_person(),
  text text not null check (length(text) between 1 and 4000),
  mentions uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, task_id) references tasks (company_id, id)
);
create index comments_of_task on task_comments (company_id, task_id, created_at);
select secure_table('task_comments', 'select, insert');
create policy own_customers on task_comments as restrictive to pinkas_own
  using (exists (select 1 from tasks t where t.company_id = task_comments.company_id and t.id = task_id));

-- Who works together: whose work somebody sees who may see that of his teams.
create table work_teams (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  members uuid[] not null default '{}' check (cardinality(members) <= 200),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
select secure_table('work_teams', 'select, insert, update');

-- Whoever stands in a team of the person asking.
create function team_mates(company uuid) returns uuid[] language sql stable as $$
  select coalesce(array_agg(distinct m), '{}') from work_teams w, unnest(w.members) m
  where w.company_id = company and w.archived_at is null and current_person() = any (w.members) $$;

-- Which tasks the product makes by itself, after how many days, for whom.
create table task_makers (
  company_id uuid not null references companies,
  kind text not null check (kind in ('quoteUnanswered', 'chequeToDeposit', 'certificateEnding', 'allocationMissing')),
  is_on boolean not null default true,
  days smallint not null check (days between 0 and 365),
  owner_id uuid,
  primary key (company_id, kind),
  foreign key (company_id, owner_id) references memberships (company_id, user_id)
);
select secure_table('task_makers', 'select, insert, update');

-- A calendar by a secret address: only its hash is kept.
create table task_feeds (
  company_id uuid not null,
  user_id uuid not null,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  -- Names of customers are left out unless he wants them.
  with_names boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references memberships (company_id, user_id)
);
create unique index feeds_by_key on task_feeds (key_hash);
select secure_table('task_feeds', 'select, insert, update, delete');
create policy own_customers on task_feeds as restrictive to pinkas_own using (user_id = current_person());

create policy own_tasks on file_links as restrictive for select to pinkas_own
  using (entity <> 'tasks' or exists (select 1 from tasks t where t.company_id = file_links.company_id and t.id = file_links.entity_id));

-- Reports that leave by themselves: which, when, to whom, and only when there is something to tell. What came of each time is written down, also when
-- nothing was sent.
create table report_plans (
  company_id uuid not null references companies,
  id uuid not null,
  report text not null check (length(report) between 1 and 60),
  -- Filters and view, as the calls of reports take them; their days are worked out when it leaves.
  query jsonb not null check (jsonb_typeof(query) = 'object' and pg_column_size(query) < 8000),
  title text not null check (length(title) between 1 and 120),
  every text not null check (every in ('day', 'week', 'month', 'vat')),
  weekday smallint not null check (weekday between 0 and 6),
  month_day smallint not null check (month_day between 1 and 28 or month_day = 31),
  days_before smallint not null check (days_before between 0 and 14),
  hour smallint not null check (hour between 0 and 23),
  span text not null,
  formats text[] not null check (cardinality(formats) between 1 and 3),
  -- {"rows": true}: when it has a line; {"total", "over" or "under"}: when a total passes a figure; null: always.
  condition jsonb,
  is_on boolean not null default true,
  -- Counts changes: a ringing of an older one does nothing.
  plan integer not null default 1,
  next_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id)
);
select secure_table('report_plans', 'select, insert, update');

-- Whom a report goes to. Whoever stopped it himself stays stopped, whoever writes him down again.
create table report_plan_people (
  company_id uuid not null,
  id uuid not null,
  plan_id uuid not null,
  user_id uuid references users,
  accountant_id uuid,
  -- 24 random bytes: the way out without a log-in.
  stop_key text not null unique check (length(stop_key) = 32),
  is_on boolean not null default true,
  stopped_at timestamptz,
  primary key (company_id, id),
  unique (company_id, plan_id, user_id),
  unique (company_id, plan_id, accountant_id),
  foreign key (company_id, plan_id) references report_plans (company_id, id),
  foreign key (company_id, accountant_id) references accountants (company_id, id),
  check ((user_id is null) <> (accountant_id is null))
);
select secure_table('report_plan_people', 'select, insert, update');

create table report_plan_log (
  company_id uuid not null,
  id uuid not null,
  plan_id uuid not null,
  -- Absent where it concerns nobody alone: there was nothing to tell, or whoever set it may not see the report any more.
  person_id uuid,
  recipient text not null default '',
  -- The day it rang; absent when somebody asked for it at once.
  due_day date,
  at timestamptz not null default now(),
  outcome text not null check (outcome in ('queued', 'nothing', 'lostRight', 'makerLostRight', 'noMail')),
  message_id uuid,
  primary key (company_id, id),
  unique (company_id, plan_id, person_id, due_day),
  foreign key (company_id, plan_id) references report_plans (company_id, id)
);
select secure_table('report_plan_log', 'select, insert, update');
create index report_plan_log_of on report_plan_log (company_id, plan_id, at desc);

alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in ('document', 'letter', 'writtenLetter', 'statement', 'reminder', 'paymentLink',
  'customerPage', 'accountant', 'form857', 'supplierPayment', 'vatQuestion', 'outside', 'proof', 'report', 'unknown'));

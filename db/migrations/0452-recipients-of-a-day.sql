-- A business writes to a limited number of people outside it in a day, so that a new account cannot send mail to everybody.
create table mail_days (
  company_id uuid not null references companies,
  -- Of Jerusalem.
  day date not null,
  recipients integer not null default 0,
  -- The owners learn once a day that the limit is reached.
  told boolean not null default false,
  primary key (company_id, day)
);
select secure_table('mail_days', 'select');

create table mail_recipients (
  company_id uuid not null,
  day date not null,
  email text not null check (email = lower(email)),
  messages integer not null default 0,
  primary key (company_id, day, email),
  foreign key (company_id, day) references mail_days (company_id, day) on delete cascade
);
select secure_table('mail_recipients', 'select');
create index mail_recipients_by_day on mail_recipients (day);
create index mail_days_by_day on mail_days (day);

-- Over the limit a message waits for the next day.
alter table messages drop constraint messages_state_check;
alter table messages add constraint messages_state_check
  check (state in ('queued', 'postponed', 'sent', 'kept', 'failed', 'bounced'));

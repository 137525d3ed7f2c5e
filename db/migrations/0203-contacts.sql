-- Who spoke with whom: calls, mails, meetings, with their outcome and what comes next. What the product sends stands in `messages` and is not said twice.
create table interactions (
  company_id uuid not null references companies,
  id uuid not null,
  customer_id uuid,
  lead_id uuid,
  channel text not null check (channel in ('call', 'mail', 'meeting', 'whatsApp', 'note', 'form', 'sms')),
  direction text not null default 'out' check (direction in ('in', 'out')),
  at timestamptz not null default now(),
  text text not null default '' check (length(text) <= 20000),
  outcome text not null default '' check (length(outcome) <= 200),
  next_text text not null default '' check (length(next_text) <= 200),
  next_day date,
  by_user uuid default nullif(current_person(), '00000000-0000-0000-0000-000000000000'),
  -- From whom a letter came, and its own number at his server.
  sender text not null default '' check (length(sender) <= 300),
  message_id text check (length(message_id) <= 500),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index interactions_of_customer on interactions (company_id, customer_id, at desc, id desc) where customer_id is not null;
create index interactions_by_time on interactions (company_id, at desc, id desc);
create index interactions_folded on interactions using gin (company_id, folded gin_trgm_ops);
-- A letter that comes twice is one.
create unique index interactions_of_letter on interactions (company_id, message_id) where message_id is not null;
select secure_table('interactions', 'select, insert, update');
create policy own_customers on interactions as restrictive to pinkas_own
  using (by_user = current_person() or exists (select 1 from parties p where p.company_id = interactions.company_id and p.id = customer_id));

-- The address letters are forwarded to, and when what was said goes to the archive by itself.
create table contact_settings (
  company_id uuid primary key references companies,
  mail_token text unique check (mail_token ~ '^[a-z2-7]{26}$'),
  mail_on boolean not null default false,
  archive_months smallint check (archive_months between 1 and 120)
);
select secure_table('contact_settings', 'select, insert, update');
alter table interactions add foreign key (company_id, lead_id) references leads (company_id, id);
create index interactions_of_lead on interactions (company_id, lead_id, at desc, id desc) where lead_id is not null;

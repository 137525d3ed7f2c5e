-- What goes on around documents: rates of exchange a business keeps, reminders of open debts, letters, papers from elsewhere.

-- Rates a business entered or brought in from a file, before the common ones: nobody's mistake reaches another's books.
create table company_rates (
  company_id uuid not null references companies,
  currency text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'ILS'),
  day date not null,
  -- Shekels for one unit.
  rate numeric(18, 6) not null check (rate > 0),
  source text not null default 'typed' check (source in ('typed', 'file')),
  created_by uuid,
  updated_at timestamptz not null default now(),
  primary key (company_id, currency, day)
);
select secure_table('company_rates', 'select, insert, update, delete');

-- Reminders of open debts: when, in which words, to whom. A business without a row has none.
create table reminder_plans (
  company_id uuid not null references companies,
  is_on boolean not null default false,
  -- The hour in Jerusalem.
  hour smallint not null default 9 check (hour between 7 and 20),
  -- On Fridays and Saturdays too.
  weekends boolean not null default false,
  -- Debts of a customer below it are not worth a letter.
  least_agorot bigint not null default 0 check (least_agorot >= 0),
  -- Only customers of these types; all when empty.
  type_ids uuid[] not null default '{}',
  -- [{days, texts: {he: {subject, text}}}]; days after the due day, negative before it.
  steps jsonb not null default '[]',
  -- Raised by every change: a run that was planned before it does nothing.
  plan integer not null default 0,
  next_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (company_id)
);
select secure_table('reminder_plans', 'select, insert, update');

create table reminder_pauses (
  company_id uuid not null references companies,
  customer_id uuid not null,
  -- The last day without; for good when absent.
  until date,
  created_by uuid,
  updated_at timestamptz not null default now(),
  primary key (company_id, customer_id),
  foreign key (company_id, customer_id) references parties (company_id, id) on delete cascade
);
select secure_table('reminder_pauses', 'select, insert, update, delete');
create policy own_customers on reminder_pauses as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = reminder_pauses.company_id and p.id = reminder_pauses.customer_id));

-- Which step a document was reminded at: nobody is reminded of the same thing twice.
create table reminders (
  company_id uuid not null references companies,
  document_id uuid not null,
  days smallint not null,
  customer_id uuid not null,
  message_id uuid not null,
  day date not null,
  open_agorot bigint not null,
  created_at timestamptz not null default now(),
  primary key (company_id, document_id, days),
  foreign key (company_id, document_id) references documents (company_id, id) on delete cascade,
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, message_id) references messages (company_id, id) on delete cascade
);
create index reminders_of_customer on reminders (company_id, customer_id, day desc);
select secure_table('reminders', 'select, insert');
create policy own_customers on reminders as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = reminders.company_id and d.id = reminders.document_id));

-- What long work over documents made: one archive or one file for the printer, for the person who asked, for a week.
create table document_bundles (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  mime text not null check (mime in ('application/zip', 'application/pdf')),
  bytes bytea not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
select secure_table('document_bundles', 'select, insert, delete');
create policy own_bundles on document_bundles as restrictive to pinkas_own
  using (created_by = current_person()) with check (created_by = current_person());

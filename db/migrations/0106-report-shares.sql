-- A report that is shown to somebody outside behind a link and a password: exactly what was chosen, live or as it was that day, until a day or until it is
-- taken back.
create table report_shares (
  company_id uuid not null references companies,
  id uuid not null,
  report text not null check (length(report) between 1 and 60),
  -- Filters and view, as the calls of reports take them.
  query jsonb not null check (jsonb_typeof(query) = 'object' and pg_column_size(query) < 8000),
  title text not null check (length(title) between 1 and 120),
  -- 24 random bytes.
  page_key text not null unique check (length(page_key) = 32),
  password_hash text not null,
  -- Wrong passwords in a row, and until when nobody may try again.
  wrong_tries smallint not null default 0,
  wait_until timestamptz,
  expires_on date not null,
  -- The answer as it was, where the books may go on without it.
  frozen jsonb,
  as_of timestamptz not null default now(),
  language text not null check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  -- What its giver might see when he gave it; more than this is never shown, whatever he may later.
  hides_sums boolean not null,
  own_customers boolean not null,
  docs_allow integer[] not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  taken_back_at timestamptz,
  primary key (company_id, id)
);
select secure_table('report_shares', 'select, insert, update');
create index report_shares_of on report_shares (company_id, created_at desc);

create table report_share_views (
  company_id uuid not null,
  id uuid not null,
  share_id uuid not null,
  at timestamptz not null default now(),
  -- As whoever opened it says; it stands over what he sees.
  name text not null check (length(name) between 1 and 80),
  address text not null default '',
  primary key (company_id, id),
  foreign key (company_id, share_id) references report_shares (company_id, id)
);
select secure_table('report_share_views', 'select, insert');
create index report_share_views_of on report_share_views (company_id, share_id, at desc);

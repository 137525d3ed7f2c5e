-- A file for somebody outside: the link is the right, until its day or until it is taken back.
create table file_shares (
  company_id uuid not null,
  id uuid not null,
  file_id uuid not null,
  -- 24 random bytes.
  page_key text not null unique check (length(page_key) = 32),
  expires_on date not null,
  -- How often it was opened by the button of its page; looking at the page does not count.
  opened integer not null default 0,
  last_opened_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  taken_back_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, file_id) references files (company_id, id) on delete cascade
);
select secure_table('file_shares', 'select, insert, update');
create index file_shares_of on file_shares (company_id, file_id, created_at desc);

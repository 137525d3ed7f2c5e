-- A due row that could not be served: how often it was tried, why it failed and when it is tried again. Without it, one row
-- that always fails is tried at every look, before all others, and nobody sees it.
create table sweep_faults (
  company_id uuid not null references companies (id),
  sweep text not null check (length(sweep) between 1 and 60),
  row_key text not null check (length(row_key) between 1 and 200),
  tries integer not null check (tries > 0),
  error text not null default '',
  first_at timestamptz not null,
  last_at timestamptz not null,
  next_at timestamptz not null,
  gave_up_at timestamptz,
  primary key (company_id, sweep, row_key)
);
create index sweep_faults_of on sweep_faults (sweep, next_at);
create index sweep_faults_given_up on sweep_faults (gave_up_at) where gave_up_at is not null;
select secure_table('sweep_faults', 'select');

-- Questions people put together themselves: what is asked of which fact, as data and never as a query, so that a question kept for years asks only what
-- the model knows and what its reader may see.
create table questions (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  asked jsonb not null check (jsonb_typeof(asked) = 'object' and pg_column_size(asked) < 20000),
  -- Of whoever made it alone, or of everybody who may see what it is about.
  for_everybody boolean not null default false,
  made_by uuid not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index questions_of_maker on questions (company_id, made_by);
select secure_table('questions', 'select, insert, update, delete');

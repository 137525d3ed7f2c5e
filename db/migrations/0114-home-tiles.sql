-- What each person keeps on the home page of a business, in his order: what nobody arranged stands as it comes.
create table home_tiles (
  company_id uuid not null references companies,
  user_id uuid not null references users,
  -- [{name, shown}] in the order of the page.
  tiles jsonb not null check (jsonb_typeof(tiles) = 'array'),
  updated_at timestamptz not null default now(),
  primary key (company_id, user_id)
);
select secure_table('home_tiles', 'select, insert, update, delete');

-- A count of stock: what the books said when it was frozen, what people counted on their phones, and what was approved. Selling goes on meanwhile: a count is a
-- fact about the moment it was frozen.
create table stock_counts (
  company_id uuid not null references companies,
  id uuid not null,
  number integer not null,
  name text not null check (length(name) between 1 and 80),
  -- All places and all items where absent; a warehouse with its shelves, a category with those below it.
  place_id uuid,
  category_id uuid,
  -- Whoever counts is not told what the books say.
  is_blind boolean not null default true,
  state text not null default 'counting' check (state in ('counting', 'approved', 'dropped')),
  day date not null,
  frozen_at timestamptz not null default now(),
  approved_at timestamptz,
  approved_by uuid,
  user_id uuid,
  primary key (company_id, id),
  unique (company_id, number),
  foreign key (company_id, place_id) references stock_places (company_id, id),
  foreign key (company_id, category_id) references categories (company_id, id)
);
select secure_table('stock_counts', 'select, insert, update');

create function stock_count_begins() returns trigger language plpgsql as $$
begin
  new.number := (select coalesce(max(number), 0) + 1 from stock_counts where company_id = new.company_id);
  return new;
end $$;
create trigger stock_count_begins before insert on stock_counts for each row execute function stock_count_begins();

create table stock_count_lines (
  company_id uuid not null,
  count_id uuid not null,
  item_id uuid not null,
  place_id uuid not null,
  batch_id uuid not null default '00000000-0000-0000-0000-000000000000',
  book numeric(18, 4) not null,
  -- The last movement of the item that the books knew.
  frozen_seq integer not null,
  wants_second boolean not null default false,
  -- What became of it when it was approved; null: it was left as it stood.
  approved numeric(18, 4),
  value_agorot bigint,
  primary key (company_id, count_id, item_id, place_id, batch_id),
  foreign key (company_id, count_id) references stock_counts (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id),
  foreign key (company_id, place_id) references stock_places (company_id, id)
);
select secure_table('stock_count_lines', 'select, insert, update');

-- Each press and each scan, under a name the phone gave it: what is sent again is there already.
create table stock_count_entries (
  company_id uuid not null,
  count_id uuid not null,
  client_id uuid not null,
  item_id uuid not null,
  place_id uuid not null,
  batch_id uuid not null default '00000000-0000-0000-0000-000000000000',
  round smallint not null default 1 check (round in (1, 2)),
  quantity numeric(18, 4) not null,
  serial text check (length(serial) between 1 and 60),
  note text not null default '' check (length(note) <= 200),
  user_id uuid,
  counted_at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (company_id, count_id, client_id),
  foreign key (company_id, count_id, item_id, place_id, batch_id) references stock_count_lines (company_id, count_id, item_id, place_id, batch_id)
);
create unique index stock_count_serials on stock_count_entries (company_id, count_id, item_id, round, lower(serial)) where serial is not null;
create index stock_count_entries_of on stock_count_entries (company_id, count_id, item_id, place_id, batch_id, round) include (quantity, user_id);
select secure_table('stock_count_entries', 'select, insert');

-- A movement of before the count that was entered after it: was it counted already?
create table stock_count_answers (
  company_id uuid not null,
  count_id uuid not null,
  move_id uuid not null,
  was_counted boolean not null,
  user_id uuid,
  at timestamptz not null default now(),
  primary key (company_id, count_id, move_id),
  foreign key (company_id, count_id) references stock_counts (company_id, id),
  foreign key (company_id, move_id) references stock_moves (company_id, id)
);
select secure_table('stock_count_answers', 'select, insert');

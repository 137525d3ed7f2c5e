-- Stock: a ledger of what came and went that is only added to, with two times: the day of the paper, and the order in which it was known. What it leaves
-- is kept beside it, under a row's lock, so that the last piece is never sold twice.
create table stock_settings (
  company_id uuid primary key references companies,
  refuses_below_zero boolean not null default false,
  costing text not null default 'average' check (costing in ('average', 'fifo')),
  -- The books follow every movement; otherwise they learn of stock from the count at the end of the year.
  perpetual boolean not null default false,
  updated_at timestamptz not null default now()
);
select secure_table('stock_settings', 'select, insert, update');

create table stock_places (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null default 'store' check (kind in ('store', 'shelf', 'transit', 'scrap')),
  name text not null check (length(name) between 1 and 80),
  code text not null default '' check (length(code) <= 20),
  parent_id uuid,
  -- Where papers take from and bring to.
  is_main boolean not null default false,
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, parent_id) references stock_places (company_id, id),
  check (kind = 'shelf' or parent_id is null)
);
create unique index stock_places_main on stock_places (company_id) where is_main;
-- What is on the way is in one place, whatever its two ends are.
create unique index stock_places_transit on stock_places (company_id) where kind = 'transit';
create index stock_places_of on stock_places (company_id, parent_id) where parent_id is not null;
select secure_table('stock_places', 'select, insert, update');

create table stock_batches (
  company_id uuid not null references companies,
  id uuid not null,
  item_id uuid not null,
  number text not null check (length(number) between 1 and 40),
  expires date,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, item_id, number),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('stock_batches', 'select, insert, update');

alter table items add column order_quantity numeric(18, 4) check (order_quantity > 0), add column supplier_id uuid,
  add column tracking text not null default 'none' check (tracking in ('none', 'batch', 'serial')),
  add column weight numeric(18, 4) check (weight >= 0),
  add foreign key (company_id, supplier_id) references parties (company_id, id);
create index items_of_supplier on items (company_id, supplier_id) where supplier_id is not null;

-- So many of the item's own units are in one of these: a carton is 24 of 1.
create table item_units (
  company_id uuid not null references companies,
  item_id uuid not null,
  unit text not null check (length(unit) between 1 and 20),
  times bigint not null check (times > 0),
  per bigint not null default 1 check (per > 0),
  primary key (company_id, item_id, unit),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('item_units', 'select, insert, update, delete');

-- What an item is made of. A kit is taken apart as it is sold; a recipe is made first and sold as one.
create table item_parts (
  company_id uuid not null references companies,
  item_id uuid not null,
  part_id uuid not null,
  quantity numeric(18, 4) not null check (quantity > 0),
  primary key (company_id, item_id, part_id),
  foreign key (company_id, item_id) references items (company_id, id),
  foreign key (company_id, part_id) references items (company_id, id),
  check (item_id <> part_id)
);
create index item_parts_in on item_parts (company_id, part_id);
select secure_table('item_parts', 'select, insert, update, delete');
alter table items add column made_of text not null default 'none' check (made_of in ('none', 'kit', 'recipe'));

-- What is left of an item and what that is worth: the row everybody waits for who moves it.
create table stock_items (
  company_id uuid not null references companies,
  item_id uuid not null,
  quantity numeric(18, 4) not null default 0,
  value_agorot bigint not null default 0,
  -- What a unit cost when there was one: what is sold beyond what is there is guessed by it.
  last_cost_agorot bigint not null default 0,
  last_cost_of numeric(18, 4) not null default 0,
  last_seq integer not null default 0,
  last_day date,
  primary key (company_id, item_id),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('stock_items', 'select, insert, update');

create table stock_on_hand (
  company_id uuid not null references companies,
  item_id uuid not null,
  place_id uuid not null,
  -- Zeros where an item has no batches.
  batch_id uuid not null default '00000000-0000-0000-0000-000000000000',
  quantity numeric(18, 4) not null default 0,
  may_go_below boolean not null default true,
  primary key (company_id, item_id, place_id, batch_id),
  foreign key (company_id, item_id) references items (company_id, id),
  foreign key (company_id, place_id) references stock_places (company_id, id),
  constraint stock_never_below check (may_go_below or quantity >= 0)
);
create index stock_on_hand_at on stock_on_hand (company_id, place_id) where quantity <> 0;
select secure_table('stock_on_hand', 'select, insert, update');

create table stock_moves (
  company_id uuid not null references companies,
  item_id uuid not null,
  -- When it was known, of its item.
  seq integer not null check (seq > 0),
  id uuid not null,
  -- What belongs together: a transfer and its other half, the lines of a paper.
  cause_id uuid not null,
  kind text not null check (kind in ('open', 'issue', 'receive', 'return', 'adjust', 'transfer', 'count', 'cancel', 'revalue', 'produce', 'landed')),
  day date not null,
  place_id uuid not null,
  batch_id uuid not null default '00000000-0000-0000-0000-000000000000',
  quantity numeric(18, 4) not null,
  value_agorot bigint not null,
  -- Guessed: more went than was there, or nobody said what it cost.
  guessed boolean not null default false,
  -- Of the item in all places, in the order of seq.
  left_quantity numeric(18, 4) not null,
  left_agorot bigint not null,
  document_id uuid,
  line smallint,
  -- What this brings back or takes back.
  reverses_id uuid,
  entry_id uuid,
  reason text not null default '' check (length(reason) <= 300),
  user_id uuid,
  at timestamptz not null default now(),
  primary key (company_id, item_id, seq),
  unique (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id),
  foreign key (company_id, place_id) references stock_places (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
create index stock_moves_by_day on stock_moves (company_id, item_id, day, seq) include (quantity, value_agorot, place_id);
create index stock_moves_of_document on stock_moves (company_id, document_id, line) where document_id is not null;
create index stock_moves_of_cause on stock_moves (company_id, cause_id);
create index stock_moves_reversing on stock_moves (company_id, reverses_id) where reverses_id is not null;
select secure_table('stock_moves', 'select, insert');

create function stock_moves_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and discards_demo(old.company_id) then return old; end if;
  raise exception 'a movement of stock stays as it was known' using errcode = 'PK270';
end $$;
create trigger stock_moves_stay before update or delete on stock_moves for each row execute function stock_moves_stay();

-- What all stock is worth moved by so much on each day: the value of a past day is their sum.
create table stock_days (
  company_id uuid not null references companies,
  day date not null,
  value_agorot bigint not null default 0,
  primary key (company_id, day)
);
select secure_table('stock_days', 'select, insert, update');

-- First in, first out: what of each arrival is left.
create table stock_layers (
  company_id uuid not null references companies,
  item_id uuid not null,
  day date not null,
  seq integer not null,
  quantity numeric(18, 4) not null check (quantity > 0),
  value_agorot bigint not null,
  primary key (company_id, item_id, day, seq),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('stock_layers', 'select, insert, update, delete');

create table stock_transfers (
  company_id uuid not null references companies,
  id uuid not null,
  number integer not null,
  from_id uuid not null,
  to_id uuid not null,
  day date not null,
  arrived_day date check (arrived_day >= day),
  note text not null default '' check (length(note) <= 300),
  user_id uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number),
  check (from_id <> to_id),
  foreign key (company_id, from_id) references stock_places (company_id, id),
  foreign key (company_id, to_id) references stock_places (company_id, id)
);
select secure_table('stock_transfers', 'select, insert, update');

create table stock_transfer_lines (
  company_id uuid not null,
  transfer_id uuid not null,
  item_id uuid not null,
  quantity numeric(18, 4) not null check (quantity > 0),
  arrived numeric(18, 4) check (arrived >= 0 and arrived <= quantity),
  primary key (company_id, transfer_id, item_id),
  foreign key (company_id, transfer_id) references stock_transfers (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('stock_transfer_lines', 'select, insert, update');

create function stock_transfer_begins() returns trigger language plpgsql security definer set search_path = public as $$
begin
  new.number := (select coalesce(max(number), 0) + 1 from stock_transfers where company_id = new.company_id);
  return new;
end $$;
create trigger stock_transfer_begins before insert on stock_transfers for each row execute function stock_transfer_begins();

-- What papers moved until now becomes the beginning of the ledger, worth what its items are said to cost.
insert into stock_places (company_id, id, kind, name, is_main)
  select company_id, gen_random_uuid(), 'store', case when c.language = 'he' then 'מחסן ראשי' when c.language = 'ar' then 'المخزن الرئيسي' when c.language = 'ru' then 'Основной склад'
    when c.language = 'fr' then 'Entrepôt principal' else 'Main warehouse' end, true
  from (select distinct company_id from items where is_stocked) i join companies c on c.id = i.company_id;
create temporary table brought on commit drop as
  select m.*, row_number() over (partition by company_id, item_id order by day, issued_at, document_id, line)::int as seq, sum(moved) over w as left_,
    round(sum(moved) over w * unit_cost * 100)::bigint as worth
  from (
    select l.company_id, l.item_id, d.id as document_id, l.line, d.day, d.issued_at, d.type, coalesce(i.cost, 0) as unit_cost,
      case when d.type = 3 then case when s.type in (8, 9) then 0 else -l.quantity end
        when d.type = 4 then l.quantity
        when d.type in (8, 9) then case when s.type = 3 or ss.type = 3 then 0 else -l.quantity end
        when d.type = 10 then case when ss.type = 3 or sss.type = 3 then 0 else l.quantity end
        when d.type = 13 then l.quantity
        when s.type = 13 then 0 else l.quantity end as moved
    from document_lines l join documents d on d.company_id = l.company_id and d.id = l.document_id
      join items i on i.company_id = l.company_id and i.id = l.item_id and i.is_stocked
      left join documents s on s.company_id = l.company_id and s.id = l.source_document_id
      left join document_lines sl on sl.company_id = l.company_id and sl.document_id = l.source_document_id and sl.line = l.source_line
      left join documents ss on ss.company_id = l.company_id and ss.id = sl.source_document_id
      left join document_lines ssl on ssl.company_id = l.company_id and ssl.document_id = sl.source_document_id and ssl.line = sl.source_line
      left join documents sss on sss.company_id = l.company_id and sss.id = ssl.source_document_id
    where d.type in (3, 4, 8, 9, 10, 12, 13) and (d.status not in ('draft', 'cancelled') or (d.status = 'cancelled' and d.type in (8, 9)))
  ) m where moved <> 0
  window w as (partition by company_id, item_id order by day, issued_at, document_id, line);
insert into stock_moves (company_id, item_id, seq, id, cause_id, kind, day, place_id, quantity, value_agorot, guessed, left_quantity, left_agorot, document_id, line, at)
  select b.company_id, b.item_id, b.seq, gen_random_uuid(), b.document_id, case when b.moved < 0 then 'issue' when b.type in (4, 10) then 'return' else 'receive' end, b.day, p.id, b.moved,
    b.worth - coalesce(lag(b.worth) over (partition by b.company_id, b.item_id order by b.seq), 0), true, b.left_, b.worth, b.document_id, b.line, b.issued_at
  from brought b join stock_places p on p.company_id = b.company_id and p.is_main;
insert into stock_items (company_id, item_id, quantity, value_agorot, last_cost_agorot, last_cost_of, last_seq, last_day)
  select distinct on (company_id, item_id) company_id, item_id, left_, worth, round(unit_cost * 100)::bigint, 1, seq, max(day) over (partition by company_id, item_id)
  from brought order by company_id, item_id, seq desc;
insert into stock_on_hand (company_id, item_id, place_id, quantity)
  select s.company_id, s.item_id, p.id, s.quantity from stock_items s join stock_places p on p.company_id = s.company_id and p.is_main;
insert into stock_days (company_id, day, value_agorot) select company_id, day, sum(value_agorot) from stock_moves group by 1, 2;

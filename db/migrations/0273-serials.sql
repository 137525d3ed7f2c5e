-- Serial numbers: each unit by itself, from the supplier to the customer and back, and the numbers a business gives its own goods.
create table serials (
  company_id uuid not null references companies,
  id uuid not null,
  item_id uuid not null,
  number text not null check (length(number) between 1 and 60),
  -- Whatever its case: unique for its item.
  number_ci text not null generated always as (lower(number)) stored,
  state text not null default 'inStock' check (state in ('expected', 'inStock', 'sold', 'returned', 'scrapped', 'missing')),
  place_id uuid,
  in_document_id uuid,
  in_day date,
  out_document_id uuid,
  out_day date,
  customer_id uuid,
  warranty_until date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, item_id, number_ci),
  foreign key (company_id, item_id) references items (company_id, id),
  foreign key (company_id, place_id) references stock_places (company_id, id),
  foreign key (company_id, in_document_id) references documents (company_id, id),
  foreign key (company_id, out_document_id) references documents (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index serials_number on serials (company_id, number_ci);
create index serials_of_customer on serials (company_id, customer_id) where customer_id is not null;
create index serials_out on serials (company_id, out_document_id, item_id) where out_document_id is not null;
select secure_table('serials', 'select, insert, update');
create policy own_customers on serials as restrictive to pinkas_own
  using (customer_id is null or exists (select 1 from parties p where p.company_id = serials.company_id and p.id = serials.customer_id));

-- The life of a unit, a line for each thing that happened to it.
create table serial_events (
  company_id uuid not null,
  serial_id uuid not null,
  seq integer not null,
  kind text not null check (kind in ('expected', 'received', 'sold', 'returned', 'scrapped', 'missing', 'found')),
  day date not null,
  document_id uuid,
  customer_id uuid,
  note text not null default '' check (length(note) <= 300),
  user_id uuid,
  at timestamptz not null default now(),
  primary key (company_id, serial_id, seq),
  foreign key (company_id, serial_id) references serials (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
select secure_table('serial_events', 'select, insert');
create policy own_customers on serial_events as restrictive to pinkas_own
  using (customer_id is null or exists (select 1 from parties p where p.company_id = serial_events.company_id and p.id = serial_events.customer_id));

create table serial_counters (
  company_id uuid not null references companies,
  item_id uuid not null,
  prefix text not null default '' check (length(prefix) <= 20),
  digits smallint not null default 6 check (digits between 1 and 12),
  next_number bigint not null default 1 check (next_number > 0),
  primary key (company_id, item_id),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('serial_counters', 'select, insert, update');

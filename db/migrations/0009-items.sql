-- The catalogue in full: kinds of income, a tree of categories, variants, price lists, prices of one customer, projects.

-- What a sale is to the books: its income account and how it stands to VAT.
create table income_kinds (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  account_id uuid not null,
  vat_kind text check (vat_kind in ('beforeVat', 'includingVat', 'trustDeposit', 'withoutVat')),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id)
);
create unique index income_kinds_name on income_kinds (company_id, name) where archived_at is null;
select secure_table('income_kinds', 'select, insert, update');

create table categories (
  company_id uuid not null references companies,
  id uuid not null,
  -- What is sorted by it; each kind has a tree of its own.
  kind text not null default 'items' check (kind in ('items', 'leads')),
  name text not null check (length(name) between 1 and 80),
  parent_id uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, kind, id),
  foreign key (company_id, kind, parent_id) references categories (company_id, kind, id),
  check (parent_id is distinct from id)
);
create index categories_of_parent on categories (company_id, parent_id);
create unique index categories_name on categories (company_id, kind, coalesce(parent_id, company_id), name) where archived_at is null;
select secure_table('categories', 'select, insert, update');

-- The names from the root down; the order of the tree is the order of these paths.
create function category_path(company uuid, category uuid) returns text language sql stable as $$
  with recursive up as (
    select c.parent_id, c.name, 1 as depth from categories c where c.company_id = company and c.id = category
    union all
    select c.parent_id, c.name, up.depth + 1 from up join categories c on c.company_id = company and c.id = up.parent_id where up.depth < 50
  )
  select string_agg(name, ' › ' order by depth desc) from up $$;

-- A category with everything below it.
create function category_branch(company uuid, category uuid) returns setof uuid language sql stable as $$
  with recursive down as (
    select c.id, 1 as depth from categories c where c.company_id = company and c.id = category
    union all
    select c.id, down.depth + 1 from down join categories c on c.company_id = company and c.parent_id = down.id where down.depth < 50
  )
  select id from down $$;

-- A category never stands below itself, whoever moves it: moves within one business wait for each other.
create function guard_category() returns trigger language plpgsql as $$
begin
  if new.parent_id is null or (tg_op = 'UPDATE' and new.parent_id is not distinct from old.parent_id) then return new; end if;
  perform 1 from categories c where c.company_id = new.company_id and c.kind = new.kind order by c.id for update;
  if tg_op = 'UPDATE' and exists (select 1 from category_branch(new.company_id, new.id) b where b = new.parent_id) then
    raise exception 'a category cannot stand below itself' using errcode = 'PK020';
  end if;
  return new;
end $$;
create trigger categories_guard before insert or update on categories for each row execute function guard_category();

alter table items
  add column category_id uuid,
  add column income_kind_id uuid,
  add column is_active boolean not null default true,
  add column is_stocked boolean not null default false,
  add column minimum_quantity numeric(18, 4) check (minimum_quantity >= 0),
  add column picture_id uuid,
  -- A variant is an item of its own that follows its parent's price at a fixed distance.
  add column parent_id uuid,
  add column price_difference numeric(18, 4),
  -- Of a parent: the attributes and their values, [{name, values}]; of a variant: its value of each, {name: value}.
  add column attributes jsonb,
  add foreign key (company_id, category_id) references categories (company_id, id),
  add foreign key (company_id, income_kind_id) references income_kinds (company_id, id),
  add foreign key (company_id, picture_id) references files (company_id, id) on delete set null (picture_id),
  add foreign key (company_id, parent_id) references items (company_id, id),
  add check (parent_id is distinct from id),
  add check ((parent_id is null) = (price_difference is null));
create index items_of_category on items (company_id, category_id) where category_id is not null;
create index items_of_parent on items (company_id, parent_id) where parent_id is not null;
create index items_of_picture on items (company_id, picture_id) where picture_id is not null;
-- A scanner gives a UPC with twelve digits or with a nought before it: they are the same code.
create index items_barcode on items (company_id, ltrim(barcode, '0')) where barcode is not null and archived_at is null;

-- A variant's price is always its parent's price and the difference; it has the parent's currency and VAT.
create function follow_parent() returns trigger language plpgsql as $$
begin
  if new.price is distinct from old.price or new.currency <> old.currency or new.vat_kind <> old.vat_kind then
    update items i set price = greatest(new.price + i.price_difference, 0), currency = new.currency, vat_kind = new.vat_kind, updated_at = now()
    where i.company_id = new.company_id and i.parent_id = new.id;
  end if;
  return null;
end $$;
create trigger items_follow after update of price, currency, vat_kind on items for each row when (new.parent_id is null) execute function follow_parent();

-- Who changed many prices at once, and what each was before: it can be taken back.
create table price_changes (
  company_id uuid not null references companies,
  id uuid not null,
  rule jsonb not null,
  items integer not null check (items >= 0),
  undone_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index price_changes_by_time on price_changes (company_id, created_at desc);
select secure_table('price_changes', 'select, insert, update');

create table price_change_lines (
  company_id uuid not null,
  change_id uuid not null,
  item_id uuid not null,
  before_price numeric(18, 4) not null,
  after_price numeric(18, 4) not null,
  primary key (company_id, change_id, item_id),
  foreign key (company_id, change_id) references price_changes (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('price_change_lines', 'select, insert');

create table price_lists (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  -- What an item without a line of its own is priced by: nothing, its price, another list, its cost; and the change to that.
  base text not null default 'item' check (base in ('none', 'item', 'list', 'cost')),
  base_list_id uuid,
  change_bp integer not null default 0 check (change_bp between -10000 and 1000000),
  valid_from date,
  valid_to date,
  notes text,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, base_list_id) references price_lists (company_id, id),
  check ((base = 'list') = (base_list_id is not null)),
  check (base_list_id is distinct from id),
  check (valid_from <= valid_to)
);
create unique index price_lists_name on price_lists (company_id, name) where archived_at is null;
create index price_lists_of_base on price_lists (company_id, base_list_id) where base_list_id is not null;
select secure_table('price_lists', 'select, insert, update');

create table price_list_lines (
  company_id uuid not null,
  id uuid not null,
  list_id uuid not null,
  item_id uuid not null,
  price numeric(18, 4) not null check (price >= 0),
  from_quantity numeric(18, 4) not null default 0 check (from_quantity >= 0),
  valid_from date,
  valid_to date,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, list_id) references price_lists (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id),
  check (valid_from <= valid_to)
);
create unique index price_list_lines_once on price_list_lines (company_id, list_id, item_id, from_quantity, coalesce(valid_from, '-infinity'), coalesce(valid_to, 'infinity'))
  where archived_at is null;
create index price_list_lines_of_item on price_list_lines (company_id, item_id, list_id) where archived_at is null;
select secure_table('price_list_lines', 'select, insert, update');

create table customer_prices (
  company_id uuid not null references companies,
  id uuid not null,
  customer_id uuid not null,
  item_id uuid not null,
  price numeric(18, 4) not null check (price >= 0),
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  from_quantity numeric(18, 4) not null default 0 check (from_quantity >= 0),
  valid_from date,
  valid_to date,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id),
  check (valid_from <= valid_to)
);
create unique index customer_prices_once on customer_prices (company_id, customer_id, item_id, currency, from_quantity, coalesce(valid_from, '-infinity'), coalesce(valid_to, 'infinity'))
  where archived_at is null;
create index customer_prices_of_item on customer_prices (company_id, item_id) where archived_at is null;
select secure_table('customer_prices', 'select, insert, update');
create policy own_customers on customer_prices as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = customer_prices.company_id and p.id = customer_prices.customer_id));

alter table parties add column price_list_id uuid, add foreign key (company_id, price_list_id) references price_lists (company_id, id);
-- A kind of customers has its list too.
alter table customer_types add column price_list_id uuid, add foreign key (company_id, price_list_id) references price_lists (company_id, id);
create index parties_of_price_list on parties (company_id, price_list_id) where price_list_id is not null;

create table projects (
  company_id uuid not null references companies,
  id uuid not null,
  number text check (length(number) between 1 and 20),
  name text not null check (length(name) between 1 and 200),
  customer_id uuid,
  manager_id uuid,
  from_day date,
  to_day date,
  budget_income_agorot bigint check (budget_income_agorot >= 0),
  budget_expense_agorot bigint check (budget_expense_agorot >= 0),
  state text not null default 'open' check (state in ('open', 'closed')),
  notes text,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, manager_id) references memberships (company_id, user_id),
  check (from_day <= to_day)
);
create unique index projects_number on projects (company_id, number) where number is not null and archived_at is null;
create index projects_by_name on projects (company_id, name, id);
select secure_table('projects', 'select, insert, update');
create policy own_customers on projects as restrictive to pinkas_own
  using (case when customer_id is null then true
    else exists (select 1 from parties p where p.company_id = projects.company_id and p.id = projects.customer_id) end);

alter table documents add column project_id uuid, add foreign key (company_id, project_id) references projects (company_id, id);
create index documents_of_project on documents (company_id, project_id, day) where project_id is not null;
alter table document_lines add column income_kind_id uuid, add foreign key (company_id, income_kind_id) references income_kinds (company_id, id);

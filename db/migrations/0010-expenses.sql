-- What the business buys: kinds of expense, suppliers' bills split over them, what was paid for them, bills that come back, fixed assets.

-- Up to which sum what a person without the right to approve enters goes straight into the books; null: approval is switched off.
alter table companies add column expense_approval_above_agorot bigint default 0 check (expense_approval_above_agorot >= 0);

create table expense_types (
  company_id uuid not null references companies,
  id uuid not null,
  -- The template's word key; a business may give its own name.
  key text,
  name text check (length(name) between 1 and 120),
  account_id uuid not null,
  -- The part of the VAT that may be deducted: all, 2/3 or 1/4 of a car's by its main use, none.
  vat_share text not null default 'full' check (vat_share in ('full', 'twoThirds', 'quarter', 'none')),
  income_tax_bp integer not null default 10000 check (income_tax_bp between 0 and 10000),
  is_fixed_asset boolean not null default false,
  depreciation_bp integer not null default 0 check (depreciation_bp between 0 and 10000),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id),
  check (name is not null or key is not null)
);
create unique index expense_types_by_key on expense_types (company_id, key) where key is not null;
select secure_table('expense_types', 'select, insert, update');

-- The type a supplier's bills usually are.
alter table parties add column expense_type_id uuid;
alter table parties add foreign key (company_id, expense_type_id) references expense_types (company_id, id);

create table recurring_expenses (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  supplier_id uuid not null,
  type_id uuid not null,
  total_agorot bigint not null check (total_agorot > 0),
  means text not null default 'bank' check (means in ('onCredit', 'cash', 'bank', 'card', 'cheque', 'owner')),
  cycle text not null default 'monthly' check (cycle in ('monthly', 'twoMonthly', 'quarterly', 'yearly')),
  first_day date not null,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id),
  foreign key (company_id, type_id) references expense_types (company_id, id)
);
-- The day the next bill is expected, counted from the first so that the 31st comes back after February.
create function next_expected(first date, cycle text, last date) returns date language sql immutable parallel safe as $$
  select case when last is null or last < first then first else (first + make_interval(months => c * (
    ((extract(year from last) - extract(year from first)) * 12 + extract(month from last) - extract(month from first))::int / c + 1)))::date end
  from (select case cycle when 'monthly' then 1 when 'twoMonthly' then 2 when 'quarterly' then 3 else 12 end) m (c) $$;
create index recurring_of_supplier on recurring_expenses (company_id, supplier_id);
select secure_table('recurring_expenses', 'select, insert, update');

create table expenses (
  company_id uuid not null references companies,
  id uuid not null,
  supplier_id uuid,
  supplier_number text not null default '' check (length(supplier_number) <= 40),
  -- The number as it is compared: without leading zeros, blanks and marks.
  number_key text not null default '',
  -- What the paper is; the detailed VAT report asks for it.
  paper text not null default 'taxInvoice' check (paper in ('taxInvoice', 'receipt', 'import', 'palestinian', 'byLaw', 'pettyCash')),
  day date not null,
  -- In whose VAT period the input VAT is claimed: the paper's own, or a later one within six months.
  vat_day date not null,
  claims_vat boolean not null default true,
  -- The day it stands at in the books: its own, or the day of its VAT when its month was closed before it came.
  books_day date,
  due_day date,
  allocation_number text not null default '' check (allocation_number ~ '^(\d{9,26})?$'),
  details text not null default '',
  notes text not null default '',
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  rate numeric(18, 6) not null default 1 check (rate > 0),
  -- As on the paper; a supplier's credit is negative.
  net_agorot bigint not null,
  vat_agorot bigint not null,
  total_agorot bigint not null,
  -- In the currency of the books.
  ils_net_agorot bigint not null,
  ils_vat_agorot bigint not null,
  ils_total_agorot bigint not null,
  recognised_vat_agorot bigint not null,
  equipment_vat_agorot bigint not null,
  -- What is still owed to the supplier, in the currency of the books; kept while it is in the books.
  open_agorot bigint not null default 0,
  -- The type of the largest line.
  type_id uuid not null,
  state text not null check (state in ('draft', 'waiting', 'approved', 'rejected', 'cancelled')),
  means text not null default 'onCredit' check (means in ('onCredit', 'cash', 'bank', 'card', 'cheque', 'owner')),
  paid_day date,
  source text not null default 'typed' check (source in ('typed', 'phone', 'mail', 'upload', 'api', 'import', 'recurring')),
  recurring_id uuid,
  -- Which of the expected bills it is.
  recurring_day date,
  reason text not null default '',
  entered_by uuid,
  approved_by uuid,
  approved_at timestamptz,
  -- In whose VAT period the reversal counts.
  cancelled_vat_day date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id),
  foreign key (company_id, type_id) references expense_types (company_id, id),
  foreign key (company_id, recurring_id) references recurring_expenses (company_id, id),
  check (net_agorot + vat_agorot = total_agorot),
  check (ils_net_agorot + ils_vat_agorot = ils_total_agorot),
  check (abs(recognised_vat_agorot) <= abs(ils_vat_agorot)),
  check ((state in ('approved', 'cancelled')) = (books_day is not null)),
  check ((state = 'cancelled') = (cancelled_vat_day is not null)),
  -- Only a debt keeps an open sum.
  check (state = 'approved' or open_agorot = 0)
);
create index expenses_by_day on expenses (company_id, day desc, id desc);
create index expenses_of_supplier on expenses (company_id, supplier_id, day);
create index expenses_by_vat_day on expenses (company_id, vat_day) where state in ('approved', 'cancelled');
create index expenses_open on expenses (company_id, supplier_id) where open_agorot <> 0;
create index expenses_entered_by on expenses (company_id, entered_by, day);
create index expenses_of_recurring on expenses (company_id, recurring_id) where recurring_id is not null;
-- The same bill is entered once, however many people photograph it.
create unique index expenses_once on expenses (company_id, supplier_id, number_key, total_agorot)
  where supplier_id is not null and number_key <> '' and state not in ('rejected', 'cancelled');
select secure_table('expenses', 'select, insert, update, delete');

create table expense_lines (
  company_id uuid not null,
  expense_id uuid not null,
  line smallint not null,
  type_id uuid not null,
  account_id uuid not null,
  details text not null default '',
  net_agorot bigint not null,
  vat_agorot bigint not null,
  ils_net_agorot bigint not null,
  ils_vat_agorot bigint not null,
  vat_share text not null check (vat_share in ('full', 'twoThirds', 'quarter', 'none')),
  recognised_vat_agorot bigint not null,
  income_tax_bp integer not null check (income_tax_bp between 0 and 10000),
  is_fixed_asset boolean not null,
  depreciation_bp integer not null check (depreciation_bp between 0 and 10000),
  project_id uuid,
  primary key (company_id, expense_id, line),
  foreign key (company_id, expense_id) references expenses (company_id, id) on delete cascade,
  foreign key (company_id, type_id) references expense_types (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id),
  foreign key (company_id, project_id) references projects (company_id, id)
);
create index expense_lines_of_type on expense_lines (company_id, type_id);
create index expense_lines_of_project on expense_lines (company_id, project_id) where project_id is not null;
select secure_table('expense_lines', 'select, insert, update, delete');

-- What an expense did to the books.
create table expense_entries (
  company_id uuid not null,
  entry_id uuid not null,
  expense_id uuid not null,
  primary key (company_id, entry_id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, expense_id) references expenses (company_id, id)
);
create index entries_of_expense on expense_entries (company_id, expense_id);
select secure_table('expense_entries', 'select, insert');

-- What was paid for one expense: at once, or later bill by bill.
create table expense_payments (
  company_id uuid not null,
  id uuid not null,
  expense_id uuid not null,
  day date not null,
  means text not null check (means in ('cash', 'bank', 'card', 'cheque', 'owner')),
  reference text not null default '',
  -- In the currency of the books; negative when a supplier gave money back.
  amount_agorot bigint not null check (amount_agorot <> 0),
  at_once boolean not null,
  entry_id uuid not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  cancelled_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, expense_id) references expenses (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id)
);
create index payments_of_expense on expense_payments (company_id, expense_id);
create index expense_payments_by_day on expense_payments (company_id, day);
select secure_table('expense_payments', 'select, insert, update');

create table fixed_assets (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null,
  expense_id uuid not null,
  line smallint not null,
  account_id uuid not null,
  supplier_id uuid,
  start_day date not null,
  -- What the books carry it at: net, and the VAT that was not recognised.
  cost_agorot bigint not null,
  depreciation_bp integer not null check (depreciation_bp between 0 and 10000),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, expense_id, line),
  foreign key (company_id, expense_id, line) references expense_lines (company_id, expense_id, line),
  foreign key (company_id, account_id) references accounts (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id)
);
select secure_table('fixed_assets', 'select, insert, update');

-- What stands in the books is not rewritten: of an approved expense only its fate moves.
create function expense_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state in ('approved', 'cancelled') and not discards_demo(old.company_id) then
      raise exception 'an expense in the books is never deleted' using errcode = 'PK005';
    end if;
    return old;
  end if;
  if old.state in ('approved', 'cancelled') and
     (old.supplier_id, old.supplier_number, old.paper, old.day, old.vat_day, old.claims_vat, old.books_day, old.currency, old.rate, old.net_agorot, old.vat_agorot,
      old.ils_net_agorot, old.ils_vat_agorot, old.recognised_vat_agorot, old.equipment_vat_agorot, old.type_id, old.means)
     is distinct from
     (new.supplier_id, new.supplier_number, new.paper, new.day, new.vat_day, new.claims_vat, new.books_day, new.currency, new.rate, new.net_agorot, new.vat_agorot,
      new.ils_net_agorot, new.ils_vat_agorot, new.recognised_vat_agorot, new.equipment_vat_agorot, new.type_id, new.means) then
    raise exception 'an expense in the books is never changed' using errcode = 'PK005';
  end if;
  if old.state = 'cancelled' and new.state <> 'cancelled' or old.state = 'approved' and new.state not in ('approved', 'cancelled') then
    raise exception 'an expense in the books does not go back' using errcode = 'PK005';
  end if;
  return new;
end $$;
create trigger expense_frozen before update or delete on expenses for each row execute function expense_frozen();

create function expense_lines_frozen() returns trigger language plpgsql as $$
begin
  if exists (select 1 from expenses e where e.company_id = old.company_id and e.id = old.expense_id and e.state in ('approved', 'cancelled'))
     and not discards_demo(old.company_id) then
    raise exception 'the lines of an expense in the books are never changed' using errcode = 'PK005';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger expense_lines_frozen before update or delete on expense_lines for each row execute function expense_lines_frozen();

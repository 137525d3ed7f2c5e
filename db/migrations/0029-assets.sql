-- What lasts loses worth by law and by its day: the register of fixed assets with opening balances, sale and scrap, the depreciation posted for
-- each period, and foreign balances told at the rate of a day.

alter table fixed_assets
  alter column expense_id drop not null,
  alter column line drop not null,
  -- By the regulations on depreciation; the line of form 6111 and the account of what is worn follow from it.
  add column kind text not null default 'other'
    check (kind in ('building', 'solidBuilding', 'improvements', 'equipment', 'vehicle', 'commercialVehicle', 'computers', 'furniture', 'other')),
  -- Why the rate is not the law's.
  add column rate_reason text not null default '' check (length(rate_reason) <= 200),
  -- Of an asset older than these books: what was worn until a day.
  add column opening_day date,
  add column opening_worn_agorot bigint not null default 0 check (opening_worn_agorot >= 0),
  add column opening_entry_id uuid,
  add column disposed_day date,
  add column disposal text check (disposal in ('sold', 'scrapped')),
  add column proceeds_agorot bigint not null default 0 check (proceeds_agorot >= 0),
  add column disposal_entry_id uuid,
  add column disposal_run_id uuid,
  add foreign key (company_id, opening_entry_id) references entries (company_id, id),
  add foreign key (company_id, disposal_entry_id) references entries (company_id, id),
  add check ((expense_id is null) = (line is null)),
  add check ((disposed_day is null) = (disposal is null)),
  add check (opening_day is not null or opening_worn_agorot = 0),
  add check (opening_day is null or opening_day >= start_day),
  add check (opening_worn_agorot <= cost_agorot),
  add check (disposed_day is null or disposed_day >= start_day);

update fixed_assets f set kind = case a.code6111 when '8030' then 'equipment' when '8050' then 'computers' when '8060' then 'furniture'
    when '8020' then 'improvements' when '8010' then 'building' when '8040' then case when f.depreciation_bp = 2000 then 'commercialVehicle' else 'vehicle' end
    else 'other' end
  from accounts a where a.company_id = f.company_id and a.id = f.account_id;

-- Depreciation as it was posted: of all assets for a period, or of one until it was sold.
create table depreciation_runs (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null check (kind in ('period', 'disposal')),
  from_day date not null,
  to_day date not null,
  total_agorot bigint not null,
  entry_id uuid not null,
  reversed_at timestamptz,
  reverse_entry_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, reverse_entry_id) references entries (company_id, id),
  check (from_day <= to_day),
  check ((reversed_at is null) = (reverse_entry_id is null))
);
-- Two people who press at once post it once.
create unique index depreciation_once on depreciation_runs (company_id, to_day) where kind = 'period' and reversed_at is null;
select secure_table('depreciation_runs', 'select, insert, update');
create policy own_customers on depreciation_runs as restrictive to pinkas_own using (false);

create table depreciation_lines (
  company_id uuid not null,
  run_id uuid not null,
  asset_id uuid not null,
  amount_agorot bigint not null check (amount_agorot <> 0),
  primary key (company_id, run_id, asset_id),
  foreign key (company_id, run_id) references depreciation_runs (company_id, id),
  foreign key (company_id, asset_id) references fixed_assets (company_id, id)
);
create index depreciation_of_asset on depreciation_lines (company_id, asset_id);
select secure_table('depreciation_lines', 'select, insert');
create policy own_customers on depreciation_lines as restrictive to pinkas_own using (false);

alter table fixed_assets add foreign key (company_id, disposal_run_id) references depreciation_runs (company_id, id);

-- A run is a fact; only its being reversed is written later.
create function depreciation_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and discards_demo(old.company_id) then return old; end if;
  if tg_op = 'DELETE' or old.reversed_at is not null
     or (to_jsonb(new) - array['reversed_at', 'reverse_entry_id']) is distinct from (to_jsonb(old) - array['reversed_at', 'reverse_entry_id']) then
    raise exception 'posted depreciation is never changed' using errcode = 'PK290';
  end if;
  return new;
end $$;
create trigger depreciation_frozen before update or delete on depreciation_runs for each row execute function depreciation_frozen();
create trigger depreciation_lines_frozen before update or delete on depreciation_lines for each row execute function refuse_change();

-- Years between two days, both included, as parts of 365 x 366: a day is a 365th of an ordinary year and a 366th of a leap year, so that a whole
-- year is always one.
create function year_parts(first date, last date) returns numeric language sql immutable parallel safe as $$
  select case when last < first then 0 else (
    select sum((least(last, make_date(y, 12, 31)) - greatest(first, make_date(y, 1, 1)) + 1)
      * case when make_date(y, 12, 31) - make_date(y, 1, 1) = 365 then 365 else 366 end)
    from generate_series(extract(year from first)::int, extract(year from last)::int) y) end $$;

-- What an asset has lost until the end of a day, in agorot: the domain's `wornUntil` says the same. The day it is sold is no day of use.
create function asset_worn(cost bigint, rate_bp integer, start_day date, opening_day date, opening_worn bigint, disposed_day date, until date)
  returns bigint language sql immutable parallel safe as $$
  select case when opening_day is null then worn when last < opening_day then least(worn, opening_worn)
    else least(cost, opening_worn + worn - round(least(cost::numeric, cost::numeric * rate_bp * year_parts(start_day, opening_day) / (10000 * 133590.0)))) end::bigint
  from (select last, round(least(cost::numeric, cost::numeric * rate_bp * year_parts(start_day, last) / (10000 * 133590.0))) as worn
    from (select least(until, disposed_day - 1) as last) d) w $$;

-- Foreign balances at the rate of a day: the difference stands on accounts of its own beside the control accounts, and is taken back the next day.
create table revaluations (
  company_id uuid not null references companies,
  id uuid not null,
  day date not null,
  total_agorot bigint not null,
  entry_id uuid not null,
  back_entry_id uuid not null,
  undone_at timestamptz,
  undo_entry_id uuid,
  undo_back_entry_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, back_entry_id) references entries (company_id, id),
  foreign key (company_id, undo_entry_id) references entries (company_id, id),
  foreign key (company_id, undo_back_entry_id) references entries (company_id, id),
  check ((undone_at is null) = (undo_entry_id is null)),
  check ((undone_at is null) = (undo_back_entry_id is null))
);
create unique index revaluations_once on revaluations (company_id, day) where undone_at is null;
select secure_table('revaluations', 'select, insert, update');
create policy own_customers on revaluations as restrictive to pinkas_own using (false);

create table revaluation_lines (
  company_id uuid not null,
  revaluation_id uuid not null,
  line smallint not null,
  what text not null check (what in ('customers', 'suppliers', 'bank')),
  account_id uuid not null,
  party_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  foreign_agorot bigint not null,
  books_agorot bigint not null,
  rate numeric(18, 6) not null check (rate > 0),
  difference_agorot bigint not null,
  primary key (company_id, revaluation_id, line),
  foreign key (company_id, revaluation_id) references revaluations (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id)
);
select secure_table('revaluation_lines', 'select, insert');
create policy own_customers on revaluation_lines as restrictive to pinkas_own using (false);
create trigger revaluation_lines_frozen before update or delete on revaluation_lines for each row execute function refuse_change();

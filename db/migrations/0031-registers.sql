-- Registers made whole: a change of all prices of a list keeps the former ones, so that it can be taken back.

-- Who changed all prices of a list at once, and what each was before: it can be taken back.
create table price_list_changes (
  company_id uuid not null references companies,
  id uuid not null,
  list_id uuid not null,
  rule jsonb not null,
  lines integer not null check (lines >= 0),
  undone_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, list_id) references price_lists (company_id, id)
);
create index price_list_changes_of_list on price_list_changes (company_id, list_id, created_at desc);
select secure_table('price_list_changes', 'select, insert');
grant update (undone_at) on price_list_changes to pinkas_app;

create table price_list_change_lines (
  company_id uuid not null,
  change_id uuid not null,
  line_id uuid not null,
  before_price numeric(18, 4) not null,
  after_price numeric(18, 4) not null,
  primary key (company_id, change_id, line_id),
  foreign key (company_id, change_id) references price_list_changes (company_id, id),
  foreign key (company_id, line_id) references price_list_lines (company_id, id)
);
create index price_list_change_lines_of_line on price_list_change_lines (company_id, line_id);
select secure_table('price_list_change_lines', 'select, insert');

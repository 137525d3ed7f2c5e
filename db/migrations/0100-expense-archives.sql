-- The pictures of the expenses of a period as one archive: what goes into it is written down, the bytes stay where they are, so that the archive can be
-- read from any place and taken up again where it was cut off.
create table expense_archives (
  company_id uuid not null references companies,
  id uuid not null,
  from_day date not null,
  to_day date not null,
  supplier_id uuid,
  name text not null check (length(name) between 1 and 200),
  -- The list of the expenses, a workbook; it stands first in the archive.
  list bytea not null default '',
  size bigint not null default 0,
  expenses integer not null default 0,
  without integer not null default 0,
  -- All of it is written down.
  ready_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id)
);
select secure_table('expense_archives', 'select, insert, update, delete');

create table expense_archive_files (
  company_id uuid not null,
  archive_id uuid not null,
  place integer not null,
  -- As it is called in the archive.
  name text not null check (length(name) between 1 and 400),
  file_id uuid not null,
  sha256 bytea not null,
  size integer not null,
  -- Of the bytes, as the archive's own table of contents says it.
  crc bigint,
  primary key (company_id, archive_id, place),
  foreign key (company_id, archive_id) references expense_archives (company_id, id) on delete cascade
);
select secure_table('expense_archive_files', 'select, insert, update, delete');

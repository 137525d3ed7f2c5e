-- An entry that is posted by one call, without lines of the journal, may belong to projects too: what of it counts for which, by account.

create table entry_projects (
  company_id uuid not null,
  entry_id uuid not null,
  project_id uuid not null,
  account_id uuid not null,
  -- As posted: a debit is positive. Only accounts of income and expense count.
  amount_agorot bigint not null check (amount_agorot <> 0),
  primary key (company_id, entry_id, project_id, account_id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, project_id) references projects (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id)
);
create index entry_projects_of on entry_projects (company_id, project_id);
create index entry_projects_account on entry_projects (company_id, account_id);
select secure_table('entry_projects', 'select, insert');

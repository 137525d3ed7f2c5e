-- Two uniform files made in one minute would lie in one folder, whose name the law ends with the minute: a run writes its folder down before it begins,
-- and whoever finds it taken goes by the next minute. And what another program's file said of an entry beside its sums (batch, match numbers) is told
-- again as it stood.

create table uniform_runs (
  company_id uuid not null references companies,
  path text not null check (length(path) between 1 and 60),
  primary key (company_id, path)
);
select secure_table('uniform_runs', 'select, insert');
create policy own_customers on uniform_runs as restrictive to pinkas_own using (false);

alter table uniform_entries add column told jsonb;

-- Whoever has leads that wait longer than their stage allows gets one letter about all of them each morning; the day of his last one is kept, so that
-- several servers send one.
create table lead_mornings (
  company_id uuid not null references companies,
  user_id uuid not null references users,
  told_on date not null,
  primary key (company_id, user_id)
);
select secure_table('lead_mornings', 'select, insert, update');

-- Leads have a tree of categories of their own, as items have theirs.
alter table leads add column category_id uuid, add foreign key (company_id, category_id) references categories (company_id, id);
create index leads_of_category on leads (company_id, category_id) where category_id is not null;

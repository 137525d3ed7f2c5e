-- The questions about a bill are stored with it: the person who approves it sees why it waits.

alter table captured_papers add column questions jsonb not null default '[]';
create index captured_papers_of_expense on captured_papers (company_id, expense_id) where expense_id is not null;

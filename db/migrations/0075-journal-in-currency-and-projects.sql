-- A line of the journal may belong to a project, and may say what it moves in another currency: projects count what was typed by hand, and the card
-- of an account that is held in a currency shows it and is valued by it.

alter table journal_lines
  add column project_id uuid,
  add column currency text check (currency ~ '^[A-Z]{3}$' and currency <> 'ILS'),
  add column foreign_agorot bigint,
  -- What was posted of it on accounts of income and of expense, without the VAT that is recognised: what its project counts.
  add column posted_income_agorot bigint,
  add column posted_expense_agorot bigint,
  add foreign key (company_id, project_id) references projects (company_id, id);
create index journal_lines_of_project on journal_lines (company_id, project_id) where project_id is not null;
-- Which cards moved another currency is asked without reading all their lines.
create index postings_in_currency on postings (company_id, account_id, currency) where currency <> 'ILS';

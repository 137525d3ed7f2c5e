-- What an account stood at is the last balance its files tell and what came after: it is found at once, however many lines bear none.

create index bank_lines_with_balance on bank_lines (company_id, bank_account_id, day, statement_id, position) include (balance_agorot)
  where balance_agorot is not null;

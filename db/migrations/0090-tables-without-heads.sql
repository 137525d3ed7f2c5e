-- Some banks' tables begin with their first line: there are no heads then, and the place of the heads is before the first row.

alter table bank_statements
  drop constraint bank_statements_head_row_check,
  add constraint bank_statements_head_row_check check (head_row between -1 and 1000);

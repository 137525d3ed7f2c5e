-- The next visit of a pest controller is a task of the business, and its customer is written to: when, and for which day.
alter table pest_sites add column reminded_at timestamptz;
alter table pest_sites add column reminded_for date;
alter table tasks drop constraint tasks_made_kind_check;
alter table tasks add constraint tasks_made_kind_check
  check (made_kind in ('quoteUnanswered', 'chequeToDeposit', 'certificateEnding', 'allocationMissing', 'orderFailing', 'treatmentDue', 'leadNext'));
alter table task_makers drop constraint task_makers_kind_check;
alter table task_makers add constraint task_makers_kind_check
  check (kind in ('quoteUnanswered', 'chequeToDeposit', 'certificateEnding', 'allocationMissing', 'orderFailing', 'treatmentDue'));

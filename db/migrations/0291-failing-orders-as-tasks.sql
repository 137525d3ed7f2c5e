-- A standing order whose charge failed is work for somebody.
alter table tasks drop constraint tasks_made_kind_check;
alter table tasks add constraint tasks_made_kind_check
  check (made_kind in ('quoteUnanswered', 'chequeToDeposit', 'certificateEnding', 'allocationMissing', 'orderFailing', 'leadNext'));
alter table task_makers drop constraint task_makers_kind_check;
alter table task_makers add constraint task_makers_kind_check
  check (kind in ('quoteUnanswered', 'chequeToDeposit', 'certificateEnding', 'allocationMissing', 'orderFailing'));

-- A file for the clearing centre that should not have been made is taken back whole, with its reason; and the day the money of a debit file came is
-- kept, because the bank's day is not always the day that was asked for.

alter table masav_runs
  add column undone_at timestamptz,
  add column undone_by uuid,
  add column undo_reason text not null default '' check (length(undo_reason) <= 200),
  add column collected_on date,
  add check ((undone_at is null) = (undo_reason = ''));
grant update (undone_at, undone_by, undo_reason, collected_on) on masav_runs to pinkas_app;

alter table masav_lines add column undone_at timestamptz;
grant update (undone_at) on masav_lines to pinkas_app;

-- An invoice of a file that was taken back waits in no file.
drop index masav_debits_once;
create unique index masav_debits_once on masav_lines (company_id, document_id)
  where document_id is not null and receipt_id is null and returned_on is null and undone_at is null;

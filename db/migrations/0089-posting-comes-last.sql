-- The sums of an account's month are one row that everybody of a business waits for: whatever names an entry is written before it, and the entry
-- comes last. That it came is asked when the transaction ends.

do $$
declare
  tie record;
begin
  for tie in select c.conrelid::regclass as of, c.conname as name from pg_constraint c
    where c.contype = 'f' and c.confrelid = 'entries'::regclass
      and c.conrelid in ('expense_entries'::regclass, 'expense_payments'::regclass, 'supplier_payments'::regclass)
  loop
    execute format('alter table %s alter constraint %I deferrable initially deferred', tie.of, tie.name);
  end loop;
end $$;

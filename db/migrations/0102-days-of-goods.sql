-- The days of the books also change with the papers that move goods and with who sold: reports keep what they worked out of a day, and see here whether it still holds.
create or replace function stamp_days_of_documents() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform stamp_book_day(d.company_id, d.day) from (select distinct company_id, day from touched where status <> 'draft' and type in (3, 4, 8, 9, 10, 12, 13)) d;
  return null;
end $$;
drop trigger documents_changed_days on documents;
create trigger documents_changed_days after update on documents for each row when (old.status <> 'draft' and
  (old.day, old.type, old.number, old.source_id, old.customer, old.customer_id, old.agent_id, old.status = 'cancelled', old.currency, old.vat_rate_bp, old.ils_net_agorot, old.ils_untaxed_agorot, old.ils_vat_agorot, old.allocation_number)
  is distinct from
  (new.day, new.type, new.number, new.source_id, new.customer, new.customer_id, new.agent_id, new.status = 'cancelled', new.currency, new.vat_rate_bp, new.ils_net_agorot, new.ils_untaxed_agorot, new.ils_vat_agorot, new.allocation_number))
  execute function stamp_days_of_document();
alter table documents enable always trigger documents_changed_days;

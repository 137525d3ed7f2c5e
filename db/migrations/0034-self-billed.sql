-- An invoice written in a supplier's stead is his bill: an expense comes with it, stands in the books in its place and is what is owed to him.

alter table expenses add column document_id uuid;
alter table expenses add foreign key (company_id, document_id) references documents (company_id, id);
-- A document brings one bill and never another.
create unique index expenses_of_document on expenses (company_id, document_id) where document_id is not null;

alter table expenses drop constraint expenses_source_check;
alter table expenses add constraint expenses_source_check
  check (source in ('typed', 'phone', 'mail', 'upload', 'api', 'import', 'recurring', 'document'));

-- Our own numbers are no numbers of the supplier: a bill of his may carry the same one, and so may one of another branch's series.
drop index expenses_once;
create unique index expenses_once on expenses (company_id, supplier_id, number_key, total_agorot)
  where supplier_id is not null and number_key <> '' and document_id is null and state not in ('rejected', 'cancelled');

create function expense_document_kept() returns trigger language plpgsql as $$
begin
  raise exception 'what a bill came with is never changed' using errcode = 'PK005';
end $$;
create trigger expense_document_kept before update on expenses for each row when (old.document_id is distinct from new.document_id)
  execute function expense_document_kept();

-- The authority gives the number after the commit: the bill, whose VAT is deducted by it, gets it with the document whoever writes it there.
create function pass_allocation() returns trigger language plpgsql as $$
begin
  update expenses set allocation_number = coalesce(new.allocation_number, ''), updated_at = now()
  where company_id = new.company_id and document_id = new.id;
  return null;
end $$;
create trigger pass_allocation after update on documents for each row
  when (new.type = 12 and new.allocation_number is distinct from old.allocation_number) execute function pass_allocation();

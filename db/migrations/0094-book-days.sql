-- When what stands on a day last changed: its documents of sales and its lines in the books. Whoever keeps what was worked out of a day sees here
-- whether it still holds, without reading the day again. A day without a row is as it was before this was kept.
create sequence book_changes;
create table book_days (
  company_id uuid not null references companies,
  day date not null,
  -- A day has as many rows as ever wrote to it at once: so nobody waits here for anybody.
  slot bigint not null,
  -- Never the same twice, and seen by others together with what it stands for.
  change bigint not null,
  primary key (company_id, day, slot)
) with (fillfactor = 50);
select secure_table('book_days', 'select');

create function stamp_book_day(company uuid, on_day date) returns void language plpgsql as $$
begin
  update book_days b set change = nextval('book_changes') where b.company_id = company and b.day = on_day and b.slot =
    (select f.slot from book_days f where f.company_id = company and f.day = on_day order by f.slot limit 1 for update skip locked);
  if not found then
    insert into book_days (company_id, day, slot, change) values (company, on_day, nextval('book_changes'), nextval('book_changes'));
  end if;
end $$;
revoke execute on function stamp_book_day(uuid, date) from public;
-- As the owner: nobody says by himself what changed.
create function stamp_book_days() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform stamp_book_day(d.company_id, d.day) from (select distinct company_id, day from touched) d;
  return null;
end $$;
-- Drafts, quotes and their like are in no books.
create function stamp_days_of_documents() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform stamp_book_day(d.company_id, d.day) from (select distinct company_id, day from touched where status <> 'draft' and type in (8, 9, 10, 12)) d;
  return null;
end $$;
create function stamp_days_of_document() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform stamp_book_day(old.company_id, old.day);
  if new.day <> old.day then perform stamp_book_day(new.company_id, new.day); end if;
  return null;
end $$;

create trigger postings_stamp_days after insert on postings referencing new table as touched for each statement execute function stamp_book_days();
create trigger postings_changed_days after update on postings referencing old table as touched for each statement execute function stamp_book_days();
create trigger postings_gone_days after delete on postings referencing old table as touched for each statement execute function stamp_book_days();
create trigger documents_stamp_days after insert on documents referencing new table as touched for each statement execute function stamp_days_of_documents();
create trigger documents_changed_days after update on documents for each row when (old.status <> 'draft' and
  (old.day, old.type, old.number, old.source_id, old.customer, old.currency, old.vat_rate_bp, old.ils_net_agorot, old.ils_untaxed_agorot, old.ils_vat_agorot, old.allocation_number)
  is distinct from
  (new.day, new.type, new.number, new.source_id, new.customer, new.currency, new.vat_rate_bp, new.ils_net_agorot, new.ils_untaxed_agorot, new.ils_vat_agorot, new.allocation_number))
  execute function stamp_days_of_document();
-- Also where somebody goes past the guards: what is shown must follow what is there.
alter table postings enable always trigger postings_stamp_days, enable always trigger postings_changed_days, enable always trigger postings_gone_days;
alter table documents enable always trigger documents_stamp_days, enable always trigger documents_changed_days;

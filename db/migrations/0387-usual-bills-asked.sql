-- A bill that usually comes and did not is asked for too: at most once of a supplier for a month.
alter table client_requests add column supplier_id uuid, add column month date check (extract(day from month) = 1),
  add check ((supplier_id is null) = (month is null)), add foreign key (company_id, supplier_id) references parties (company_id, id);
create unique index client_requests_of_supplier on client_requests (company_id, month, supplier_id);

-- As before; and a bill of that supplier dated in that month is what was asked for, whatever its sum. A supplier who was entered twice and made one is one.
create or replace function expense_answers_request() returns trigger language plpgsql security definer set search_path = public as $$
declare found uuid;
begin
  if new.state not in ('waiting', 'approved') or new.ils_total_agorot <= 0 then return null; end if;
  -- One expense answers one request, however often its state changes.
  if exists (select 1 from client_requests where company_id = new.company_id and expense_id = new.id) then return null; end if;
  select r.id into found from client_requests r join parties p on p.company_id = r.company_id and p.id = r.supplier_id
    where r.company_id = new.company_id and r.month = date_trunc('month', new.day)::date and r.kind = 'paper' and r.state in ('asked', 'seen', 'answered')
      and r.paper_id is null and coalesce(p.merged_into, p.id) = (
        select coalesce(s.merged_into, s.id) from parties s where s.company_id = new.company_id and s.id = new.supplier_id)
    order by r.created_at, r.id limit 1;
  if found is null then
    select id into found from client_requests where company_id = new.company_id and kind = 'paper' and state in ('asked', 'seen', 'answered')
      and sum_agorot = new.ils_total_agorot and (day is null or new.day between day - 62 and day + 7) and paper_id is null
      order by abs(coalesce(day, new.day) - new.day), created_at, id limit 1;
  end if;
  if found is not null then perform end_request(new.company_id, found, new.id); end if;
  return null;
end $$;

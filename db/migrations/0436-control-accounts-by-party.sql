-- The accounts of customers (1100) and of suppliers (2000) are sums of their cards: a line there without its customer or supplier is on no card and
-- among no open items, and the balance would no longer be what is owed. Commands refuse such lines; this refuses them however they are written.
--
-- As the owner: whose customer it is does not matter here, and a person who sees only some customers posts like everybody else.
create function refuse_lines_without_party() returns trigger language plpgsql security definer set search_path = public as $$
declare
  loose text;
begin
  select a.number into loose from fresh f
    join accounts a on a.company_id = f.company_id and a.id = f.account_id and a.number in ('1100', '2000')
    left join parties p on p.company_id = f.company_id and p.id = f.party_id
    where p.role is distinct from case a.number when '1100' then 'customer' else 'supplier' end limit 1;
  if found then raise exception '%', loose using errcode = 'PK006'; end if;
  return null;
end $$;
revoke execute on function refuse_lines_without_party() from public;
create trigger postings_have_party after insert on postings referencing new table as fresh for each statement execute function refuse_lines_without_party();

-- A bank account in foreign currency is matched in its currency: what its lines come to is what the postings come to in that currency, whatever
-- either was worth in shekels on its day.

-- The currency an account of the books is held in at the bank; shekels where no bank account stands on it, or one in shekels does too.
create function currency_of_account(company uuid, account uuid) returns text language sql stable as $$
  select coalesce(min(b.currency), 'ILS') from bank_accounts b where b.company_id = company and b.account_id = account
    and not exists (select 1 from bank_accounts s where s.company_id = company and s.account_id = account and s.currency = 'ILS') $$;

-- A posting's amount in a currency; nothing where it moved none of it.
create function amount_in(wanted text, amount_agorot bigint, currency text, foreign_amount bigint) returns bigint language sql immutable parallel safe as $$
  select case when wanted = 'ILS' then amount_agorot when currency = wanted then coalesce(foreign_amount, 0) else 0 end $$;

create or replace function check_match() returns trigger language plpgsql as $$
declare
  of_match uuid := coalesce(new.match_id, old.match_id);
  of_company uuid := coalesce(new.company_id, old.company_id);
  own matches;
  held text;
begin
  select * into own from matches m where m.company_id = of_company and m.id = of_match;
  if own.id is null then return null; end if;
  held := case own.kind when 'bank' then currency_of_account(of_company, own.account_id) else 'ILS' end;
  if (select coalesce(sum(b.amount_agorot), 0) from match_lines l join bank_lines b on b.company_id = l.company_id and b.id = l.line_id
        where l.company_id = of_company and l.match_id = of_match)
     <> (select coalesce(sum(amount_in(held, p.amount_agorot, p.currency, p.foreign_amount)), 0)
        from match_postings x join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id and p.line = x.line
        where x.company_id = of_company and x.match_id = of_match) then
    raise exception 'a match does not come to zero' using errcode = 'PK240';
  end if;
  if exists (select 1 from match_postings x join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id and p.line = x.line
        where x.company_id = of_company and x.match_id = of_match and p.account_id <> own.account_id)
     or exists (select 1 from match_lines l join bank_lines b on b.company_id = l.company_id and b.id = l.line_id
        join bank_accounts a on a.company_id = b.company_id and a.id = b.bank_account_id
        where l.company_id = of_company and l.match_id = of_match and a.account_id <> own.account_id) then
    raise exception 'a match is of one account' using errcode = 'PK241';
  end if;
  return null;
end $$;

-- On the card of an account a line may be matched in part: half a loan is paid back, an advance is used up bill by bill. What of a line a match
-- took stands with it, the rest stays open for the next, and the parts together are never more than the line.

-- In shekels, as the line itself; null where the match took the whole line.
alter table match_postings add column amount_agorot bigint check (amount_agorot <> 0);
alter table match_postings drop constraint match_postings_pkey;
alter table match_postings add primary key (company_id, entry_id, line, match_id);
-- The promise of the old key for whole lines.
create unique index match_postings_whole on match_postings (company_id, entry_id, line) where amount_agorot is null;
-- Parts are few: whether a line has any is asked of these alone.
create index match_postings_parts on match_postings (company_id, entry_id, line) where amount_agorot is not null;

-- What a match took of a line, in the currency it is matched in: the part of the whole that it is of its shekels.
create function matched_part(whole bigint, taken_agorot bigint, amount_agorot bigint) returns bigint language sql immutable parallel safe as $$
  select case when taken_agorot is null then whole when whole = amount_agorot then taken_agorot
    else round(whole::numeric * taken_agorot / amount_agorot)::bigint end $$;

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
     <> (select coalesce(sum(matched_part(amount_in(held, p.amount_agorot, p.currency, p.foreign_amount), x.amount_agorot, p.amount_agorot)), 0)
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
  -- A part has the side of its line, and all that was taken of a line is not more than the line.
  if exists (select 1 from match_postings x join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id and p.line = x.line
        where x.company_id = of_company and x.match_id = of_match
          and (sign(x.amount_agorot) <> sign(p.amount_agorot)
            or (select sum(abs(coalesce(o.amount_agorot, p.amount_agorot))) from match_postings o
              where o.company_id = x.company_id and o.entry_id = x.entry_id and o.line = x.line) > abs(p.amount_agorot))) then
    raise exception 'more of a line is matched than it has' using errcode = 'PK4E0';
  end if;
  return null;
end $$;

-- Two who take parts of one line at once would not see each other: whoever matches on an account waits for the other who does.
create function lock_matched_account() returns trigger language plpgsql as $$
begin
  perform 1 from accounts a where (a.company_id, a.id) in (
    select p.company_id, p.account_id from taken t join postings p on p.company_id = t.company_id and p.entry_id = t.entry_id and p.line = t.line)
    order by a.company_id, a.id for no key update;
  return null;
end $$;
create trigger match_postings_in_turn after insert on match_postings referencing new table as taken
  for each statement execute function lock_matched_account();

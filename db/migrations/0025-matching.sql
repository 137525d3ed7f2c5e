-- Matching: lines of the bank meet postings of its account, and lines of any card meet each other. Both sides of a match come to the same, and
-- neither a line nor a posting is ever in two.

create table matches (
  company_id uuid not null references companies,
  id uuid not null,
  number bigint not null,
  -- 'bank': lines of the bank against postings; 'card': postings of one account that come to zero.
  kind text not null check (kind in ('bank', 'card')),
  account_id uuid not null,
  -- How a line without a posting was booked, and by what entry; null where lines and postings met.
  deed text check (deed in ('fee', 'interest', 'transfer', 'receipt', 'supplier', 'bounce', 'account')),
  entry_id uuid,
  -- The receipt, or the payment to a supplier, that was made of it.
  made_id uuid,
  reasons text[] not null default '{}',
  -- Accepted without a look, because it was certain.
  automatic boolean not null default false,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number),
  foreign key (company_id, account_id) references accounts (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  check (entry_id is null or deed is not null)
);
create index matches_of_account on matches (company_id, account_id, number desc);
select secure_table('matches', 'select, insert, delete');
create policy own_customers on matches as restrictive to pinkas_own using (false);

-- The key is the promise: a line of the bank is matched or booked once.
create table match_lines (
  company_id uuid not null,
  line_id uuid not null,
  match_id uuid not null,
  primary key (company_id, line_id),
  foreign key (company_id, line_id) references bank_lines (company_id, id),
  foreign key (company_id, match_id) references matches (company_id, id)
);
create index match_lines_of on match_lines (company_id, match_id);
select secure_table('match_lines', 'select, insert, delete');
create policy own_customers on match_lines as restrictive to pinkas_own using (false);

create table match_postings (
  company_id uuid not null,
  entry_id uuid not null,
  line smallint not null,
  match_id uuid not null,
  primary key (company_id, entry_id, line),
  foreign key (company_id, entry_id, line) references postings (company_id, entry_id, line),
  foreign key (company_id, match_id) references matches (company_id, id)
);
create index match_postings_of on match_postings (company_id, match_id);
select secure_table('match_postings', 'select, insert, delete');
create policy own_customers on match_postings as restrictive to pinkas_own using (false);

-- Looked at when a transaction ends: what the lines come to is what the postings come to, all postings stand on the match's account, and all
-- lines are of bank accounts that stand there too.
create function check_match() returns trigger language plpgsql as $$
declare
  of_match uuid := coalesce(new.match_id, old.match_id);
  of_company uuid := coalesce(new.company_id, old.company_id);
  own matches;
begin
  select * into own from matches m where m.company_id = of_company and m.id = of_match;
  if own.id is null then return null; end if;
  if (select coalesce(sum(b.amount_agorot), 0) from match_lines l join bank_lines b on b.company_id = l.company_id and b.id = l.line_id
        where l.company_id = of_company and l.match_id = of_match)
     <> (select coalesce(sum(p.amount_agorot), 0) from match_postings x join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id and p.line = x.line
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
create constraint trigger match_lines_zero after insert or delete on match_lines deferrable initially deferred
  for each row execute function check_match();
create constraint trigger match_postings_zero after insert or delete on match_postings deferrable initially deferred
  for each row execute function check_match();

-- What lines with certain words are, as the business says.
create table bank_rules (
  company_id uuid not null references companies,
  id uuid not null,
  contains text not null check (length(contains) between 2 and 100),
  direction text not null default 'both' check (direction in ('in', 'out', 'both')),
  deed text not null check (deed in ('fee', 'interest', 'transfer', 'receipt', 'supplier', 'account')),
  account_id uuid,
  customer_id uuid,
  supplier_id uuid,
  bank_account_id uuid,
  automatic boolean not null default false,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id),
  foreign key (company_id, bank_account_id) references bank_accounts (company_id, id),
  check (deed <> 'account' or account_id is not null),
  check (deed <> 'transfer' or bank_account_id is not null),
  -- Documents and payments are made by people.
  check (not automatic or deed in ('fee', 'interest', 'transfer', 'account'))
);
select secure_table('bank_rules', 'select, insert, update');
create policy own_customers on bank_rules as restrictive to pinkas_own using (false);

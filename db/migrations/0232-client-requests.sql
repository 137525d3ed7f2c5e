-- What the accountant asks of the business: missing papers by what the bank's line says, questions, and approvals; each closes itself when what was asked for is there.
create table client_requests (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null check (kind in ('paper', 'question', 'approve', 'file')),
  state text not null default 'asked' check (state in ('asked', 'seen', 'answered', 'accepted', 'dropped')),
  text text not null check (length(text) between 1 and 2000),
  -- The line of the bank a paper is missing for: at most one request a line. No foreign key: a statement that is taken back takes nothing of what was asked.
  bank_line_id uuid,
  day date,
  sum_agorot bigint check (sum_agorot >= 0),
  -- What it is about, as a page of the product.
  about_path text not null default '' check (length(about_path) <= 300 and (about_path = '' or about_path ~ '^/invoice/[\w/.?=&-]+$')),
  asked_by uuid not null references users,
  seen_at timestamptz,
  -- What came: a paper in the inbox, then the expense it became.
  paper_id uuid,
  expense_id uuid,
  -- Closed by what came, and not by a person.
  by_itself boolean not null default false,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, bank_line_id),
  foreign key (company_id, paper_id) references captured_papers (company_id, id),
  foreign key (company_id, expense_id) references expenses (company_id, id)
);
create index client_requests_by_state on client_requests (company_id, state, created_at desc);
create index client_requests_missing on client_requests (company_id, sum_agorot) where kind = 'paper' and state in ('asked', 'seen', 'answered');
create index client_requests_of_expense on client_requests (company_id, expense_id) where expense_id is not null;
create index client_requests_of_paper on client_requests (company_id, paper_id) where paper_id is not null;
select secure_table('client_requests', 'select, insert, update');
-- Lines of the bank are of the whole business.
create policy own_customers on client_requests as restrictive to pinkas_own using (false);

create table client_request_words (
  company_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  -- Null: whoever has the link.
  user_id uuid references users,
  text text not null check (length(text) between 1 and 4000),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, request_id) references client_requests (company_id, id)
);
create index client_request_words_of on client_request_words (company_id, request_id, created_at);
select secure_table('client_request_words', 'select, insert');
create policy own_customers on client_request_words as restrictive to pinkas_own using (false);

-- The page on which they are answered without a log-in; one at a time, and a new one ends the last.
create table client_request_links (
  company_id uuid not null primary key references companies,
  key text not null unique check (length(key) >= 40),
  ends_at timestamptz not null,
  made_by uuid not null references users,
  created_at timestamptz not null default now()
);
select secure_table('client_request_links', 'select, insert, update, delete');
create policy own_customers on client_request_links as restrictive to pinkas_own using (false);

create function end_request(company uuid, request uuid, expense uuid) returns void language sql security definer set search_path = public as $$
  update client_requests set state = 'accepted', by_itself = true, expense_id = coalesce(expense, expense_id), ended_at = now(), updated_at = now()
    where company_id = company and id = request and state in ('asked', 'seen', 'answered') $$;

-- An expense of that sum, dated within two months before the bank's line and a week after, is what was asked for; of several requests the nearest by day.
create function expense_answers_request() returns trigger language plpgsql security definer set search_path = public as $$
declare found uuid;
begin
  if new.state not in ('waiting', 'approved') or new.ils_total_agorot <= 0 then return null; end if;
  -- One expense answers one request, however often its state changes.
  if exists (select 1 from client_requests where company_id = new.company_id and expense_id = new.id) then return null; end if;
  select id into found from client_requests where company_id = new.company_id and kind = 'paper' and state in ('asked', 'seen', 'answered')
    and sum_agorot = new.ils_total_agorot and (day is null or new.day between day - 62 and day + 7) and paper_id is null
    order by abs(coalesce(day, new.day) - new.day), created_at, id limit 1;
  if found is not null then perform end_request(new.company_id, found, new.id); end if;
  return null;
end $$;
create trigger expense_answers_request after insert or update of state on expenses for each row execute function expense_answers_request();

-- The paper that came by the link became an expense, whatever its sum.
create function paper_answers_request() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform end_request(new.company_id, r.id, new.expense_id) from client_requests r where r.company_id = new.company_id and r.paper_id = new.id;
  return null;
end $$;
create trigger paper_answers_request after update of expense_id on captured_papers for each row when (new.expense_id is not null) execute function paper_answers_request();

-- The line of the bank was matched or booked: nothing is missing for it any more.
create function match_answers_request() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform end_request(new.company_id, r.id, null) from client_requests r where r.company_id = new.company_id and r.bank_line_id = new.line_id and r.kind = 'paper';
  return null;
end $$;
create trigger match_answers_request after insert on match_lines for each row execute function match_answers_request();

-- The whole life of documents: all types, means of payment, what closes what, conversion by line and quantity, paper books.

alter table documents
  -- Changes the label of a payment request (1, 4, 5, 6, 8); a pro flag changes that of a quote.
  add column sub_type smallint not null default 0 check (sub_type between 0 and 99),
  add column pro boolean not null default false,
  -- A branch or shop with numbers of its own; part of the series.
  add column branch text not null default '' check (length(branch) <= 20),
  add column valid_until date,
  -- Written by hand in a paper book: entered with its own number so that reports are whole, never printed anew as an original.
  add column by_hand boolean not null default false,
  add column agent_id uuid,
  -- What is left open in the document's own currency; open_agorot is the same in shekels at the document's rate.
  add column open_in_currency_agorot bigint not null default 0,
  -- Of a payment request: what was asked and is not paid yet, in its currency. It owes nothing in the books.
  add column asked_agorot bigint not null default 0,
  -- Of an invoice: what its credits have taken back so far, VAT included, in its currency.
  add column credited_agorot bigint not null default 0,
  -- Of a draft: what it will close, and its number in the paper book.
  add column pending jsonb,
  drop constraint documents_check1,
  -- Money papers (receipt, donation, deposit) have a sum of payments and may have no lines.
  add constraint documents_sums check (status = 'draft' or (issued_at is not null and (type in (6, 11, 14)
    or total_agorot = net_taxable_agorot + net_exempt_agorot + net_zero_agorot + vat_agorot + rounding_agorot)));
update documents set open_in_currency_agorot = case when open_agorot = 0 then 0 when open_agorot > 0 then total_agorot else -total_agorot end where status <> 'draft';

alter table document_lines
  -- The line this one came from, and how much of that line's quantity it takes.
  add column source_document_id uuid,
  add column source_line smallint,
  add column takes numeric(18, 4) not null default 0 check (takes >= 0),
  add foreign key (company_id, source_document_id) references documents (company_id, id);
create index document_lines_of_source on document_lines (company_id, source_document_id, source_line) where source_document_id is not null;

-- How a document was paid. Frozen with it, but for the fate of the money: where a cheque lies, which deposit took it.
create table document_payments (
  company_id uuid not null,
  document_id uuid not null,
  line smallint not null check (line > 0),
  id uuid not null,
  -- 1 cash, 2 cheque, 3 transfer, 4 card, 5 payment app, 6 PayPal, 7 tax withheld at source, 8 other.
  means smallint not null check (means between 1 and 8),
  -- In the document's currency, and in shekels at its rate; negative when money goes back.
  amount_agorot bigint not null check (amount_agorot <> 0),
  ils_agorot bigint not null,
  day date not null,
  due_day date not null,
  instalments smallint check (instalments between 1 and 36),
  card_brand text not null default '',
  card_last4 text not null default '' check (card_last4 ~ '^(\d{4})?$'),
  bank text not null default '' check (bank ~ '^\d{0,3}$'),
  branch text not null default '' check (branch ~ '^\d{0,4}$'),
  account text not null default '' check (account ~ '^[\d-]{0,20}$'),
  number text not null default '' check (length(number) <= 30),
  reference text not null default '' check (length(reference) <= 100),
  account_id uuid,
  state text not null default 'received' check (state in ('received', 'deposited', 'cleared', 'bounced', 'returned')),
  deposit_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, document_id, line),
  unique (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id) on delete cascade,
  foreign key (company_id, account_id) references accounts (company_id, id)
);
create index payments_by_means on document_payments (company_id, means, due_day);
create index payments_in_hand on document_payments (company_id, due_day) where state = 'received' and means in (1, 2);
select secure_table('document_payments', 'select, insert, update, delete');
create policy own_customers on document_payments as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = document_payments.company_id and d.id = document_payments.document_id));

create function guard_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and discards_demo(old.company_id) then return old; end if;
  if exists (select 1 from documents d where d.company_id = old.company_id and d.id = old.document_id and d.status <> 'draft') then
    if tg_op = 'DELETE' or (to_jsonb(new) - array['state', 'deposit_id', 'updated_at']) is distinct from (to_jsonb(old) - array['state', 'deposit_id', 'updated_at']) then
      raise exception 'the payments of an issued document are never changed' using errcode = 'PK001';
    end if;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger payments_guard before update or delete on document_payments for each row execute function guard_payment();
create trigger payments_guard_new before insert on document_payments for each row execute function guard_new_line();

-- What closed what: money or a credit (from) against a debt (to). Append-only; undoing is a row of its own with the amounts turned.
create table settlements (
  company_id uuid not null references companies,
  id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  -- In the currency of each document, and in shekels at the rate of each.
  from_agorot bigint not null,
  to_agorot bigint not null,
  from_ils_agorot bigint not null,
  to_ils_agorot bigint not null,
  day date not null,
  -- The exchange difference in the books, when there is one.
  entry_id uuid,
  reverses_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, from_id) references documents (company_id, id),
  foreign key (company_id, to_id) references documents (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, reverses_id) references settlements (company_id, id),
  check (from_id <> to_id),
  check (sign(from_agorot) = sign(to_agorot))
);
create index settlements_from on settlements (company_id, from_id);
create index settlements_to on settlements (company_id, to_id);
create unique index settlements_undone_once on settlements (company_id, reverses_id) where reverses_id is not null;
select secure_table('settlements', 'select, insert');
create trigger settlements_frozen before update or delete on settlements for each row execute function refuse_change();
create policy own_customers on settlements as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = settlements.company_id and d.id = settlements.to_id));

-- Which money answered which payment request; a reversal is a row with the sum turned.
create table asked_payments (
  company_id uuid not null references companies,
  id uuid not null,
  request_id uuid not null,
  document_id uuid not null,
  agorot bigint not null check (agorot <> 0),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, request_id) references documents (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
create index asked_of_request on asked_payments (company_id, request_id);
create index asked_of_document on asked_payments (company_id, document_id);
select secure_table('asked_payments', 'select, insert');
create trigger asked_frozen before update or delete on asked_payments for each row execute function refuse_change();
create policy own_customers on asked_payments as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = asked_payments.company_id and d.id = asked_payments.document_id));

-- What of a document may change after it is issued: its fate.
create or replace function guard_document() returns trigger language plpgsql as $$
declare
  fate constant text[] := array['status', 'open_agorot', 'open_in_currency_agorot', 'asked_agorot', 'credited_agorot', 'cancelled_by_id', 'allocation_state', 'allocation_number',
    'sent_at', 'viewed_at', 'updated_at', 'due_day', 'reason'];
begin
  if tg_op = 'DELETE' and discards_demo(old.company_id) then return old; end if;
  if old.status = 'draft' then
    if tg_op = 'DELETE' then return old; end if;
    if new.number is not null and current_setting('pinkas.issuing', true) is distinct from new.id::text then
      raise exception 'a number is given by issuing only' using errcode = 'PK001';
    end if;
    return new;
  end if;
  if tg_op = 'DELETE' then raise exception 'an issued document is never removed' using errcode = 'PK001'; end if;
  if new.status = 'draft' or (to_jsonb(new) - fate) is distinct from (to_jsonb(old) - fate) then
    raise exception 'an issued document is never changed' using errcode = 'PK001';
  end if;
  -- The reason of a cancellation is said once.
  if old.reason <> '' and new.reason <> old.reason then raise exception 'an issued document is never changed' using errcode = 'PK001'; end if;
  return new;
end $$;

-- The state that what is left gives a document: of its money where it moves money, else of its lines.
create function status_of(left_ bigint, whole bigint) returns text language sql immutable parallel safe
  as $$ select case when left_ = 0 then 'closed' when left_ = whole then 'issued' else 'partlyClosed' end $$;

-- Closes `from_amount` of what `from_doc` gives against `to_amount` of what `to_doc` asks, each in its own currency. The shekels of each
-- side go at its own rate, the last part takes what is left, and a difference is posted to `exchange`.
-- Raises PK037 when either has less left than that.
create function settle(company uuid, s jsonb) returns void language plpgsql as $$
declare
  from_doc documents;
  to_doc documents;
  from_amount bigint := (s->>'fromAgorot')::bigint;
  to_amount bigint := (s->>'toAgorot')::bigint;
  from_ils bigint;
  to_ils bigint;
  difference bigint;
  on_day date := (s->>'day')::date;
begin
  -- In the order of ids, so that two settlements never wait for each other crosswise.
  perform 1 from documents where company_id = company and id in ((s->>'fromId')::uuid, (s->>'toId')::uuid) order by id for update;
  select * into from_doc from documents where company_id = company and id = (s->>'fromId')::uuid;
  select * into to_doc from documents where company_id = company and id = (s->>'toId')::uuid;
  if from_doc.id is null or to_doc.id is null or from_doc.customer_id is distinct from to_doc.customer_id
     or from_amount <= 0 or to_amount <= 0 or -from_doc.open_in_currency_agorot < from_amount or to_doc.open_in_currency_agorot < to_amount
     or (from_doc.currency = to_doc.currency and from_amount <> to_amount) then
    raise exception '%', coalesce(to_doc.number::text, '') using errcode = 'PK037';
  end if;
  from_ils := case when -from_doc.open_in_currency_agorot = from_amount then -from_doc.open_agorot
    else round(-from_doc.open_agorot::numeric * from_amount / -from_doc.open_in_currency_agorot) end;
  to_ils := case when to_doc.open_in_currency_agorot = to_amount then to_doc.open_agorot
    else round(to_doc.open_agorot::numeric * to_amount / to_doc.open_in_currency_agorot) end;
  -- What the customer's card still shows once both are closed: gained when the money was worth more than the debt.
  difference := from_ils - to_ils;
  if difference <> 0 then
    perform post_entry(company, jsonb_build_object('id', s->>'entryId', 'day', on_day, 'kind', 'exchangeDifference', 'reference', to_doc.number,
      'documentId', to_doc.id, 'by', s->>'by', 'lines', jsonb_build_array(
        jsonb_build_object('account', s->>'customers', 'party', to_doc.customer_id, 'amount', difference),
        jsonb_build_object('account', s->>'exchange', 'amount', -difference))));
  end if;
  insert into settlements (company_id, id, from_id, to_id, from_agorot, to_agorot, from_ils_agorot, to_ils_agorot, day, entry_id, created_by)
  values (company, (s->>'id')::uuid, from_doc.id, to_doc.id, from_amount, to_amount, from_ils, to_ils, on_day,
    case when difference <> 0 then (s->>'entryId')::uuid end, (s->>'by')::uuid);
  update documents d set open_agorot = d.open_agorot + from_ils, open_in_currency_agorot = d.open_in_currency_agorot + from_amount, updated_at = now(),
    status = case when d.status = 'cancelled' then d.status else status_of(d.open_in_currency_agorot + from_amount, -abs(d.total_agorot)) end
  where d.company_id = company and d.id = from_doc.id;
  update documents d set open_agorot = d.open_agorot - to_ils, open_in_currency_agorot = d.open_in_currency_agorot - to_amount, updated_at = now(),
    status = case when d.status = 'cancelled' then d.status else status_of(d.open_in_currency_agorot - to_amount, abs(d.total_agorot)) end
  where d.company_id = company and d.id = to_doc.id;
end $$;

-- Takes a settlement back: both sides are open again by what it closed, and its exchange difference is turned round.
create function unsettle(company uuid, settlement uuid, s jsonb) returns void language plpgsql as $$
declare
  old settlements;
begin
  select * into old from settlements where company_id = company and id = settlement;
  if old.id is null or old.reverses_id is not null or exists (select 1 from settlements x where x.company_id = company and x.reverses_id = settlement) then
    raise exception 'no such settlement' using errcode = 'PK038';
  end if;
  perform 1 from documents where company_id = company and id in (old.from_id, old.to_id) order by id for update;
  -- A paper and what offsets it close each other for good.
  if exists (select 1 from documents x where x.company_id = company and x.id in (old.from_id, old.to_id) and x.status = 'cancelled') then
    raise exception 'cancelled' using errcode = 'PK038';
  end if;
  if old.entry_id is not null then
    perform post_entry(company, jsonb_build_object('id', s->>'entryId', 'day', s->>'day', 'kind', 'exchangeDifference', 'documentId', old.to_id, 'by', s->>'by',
      'reversesId', old.entry_id, 'lines', (select jsonb_agg(jsonb_build_object('account', p.account_id, 'party', p.party_id, 'amount', -p.amount_agorot) order by p.line)
        from postings p where p.company_id = company and p.entry_id = old.entry_id)));
  end if;
  insert into settlements (company_id, id, from_id, to_id, from_agorot, to_agorot, from_ils_agorot, to_ils_agorot, day, entry_id, reverses_id, created_by)
  values (company, (s->>'id')::uuid, old.from_id, old.to_id, -old.from_agorot, -old.to_agorot, -old.from_ils_agorot, -old.to_ils_agorot, (s->>'day')::date,
    case when old.entry_id is not null then (s->>'entryId')::uuid end, old.id, (s->>'by')::uuid);
  update documents d set open_agorot = d.open_agorot - old.from_ils_agorot, open_in_currency_agorot = d.open_in_currency_agorot - old.from_agorot, updated_at = now(),
    status = case when d.status = 'cancelled' then d.status else status_of(d.open_in_currency_agorot - old.from_agorot, -abs(d.total_agorot)) end
  where d.company_id = company and d.id = old.from_id;
  update documents d set open_agorot = d.open_agorot + old.to_ils_agorot, open_in_currency_agorot = d.open_in_currency_agorot + old.to_agorot, updated_at = now(),
    status = case when d.status = 'cancelled' then d.status else status_of(d.open_in_currency_agorot + old.to_agorot, abs(d.total_agorot)) end
  where d.company_id = company and d.id = old.to_id;
end $$;

-- How much of each line of a document no later document has taken.
create function left_of_lines(company uuid, doc uuid) returns table (line smallint, left_ numeric) language sql stable
  as $$ select l.line, l.quantity - coalesce((select sum(t.takes) from document_lines t
      join documents d on d.company_id = t.company_id and d.id = t.document_id and d.status not in ('draft', 'cancelled')
      where t.company_id = l.company_id and t.source_document_id = l.document_id and t.source_line = l.line), 0)
    from document_lines l where l.company_id = company and l.document_id = doc $$;

-- A source without money of its own is closed by its lines.
create function refresh_source(company uuid, doc uuid) returns void language sql as $$
  update documents d set updated_at = now(), status = (select case when bool_and(left_ <= 0) then 'closed' when bool_and(left_ = l.quantity) then 'issued' else 'partlyClosed' end
    from left_of_lines(company, doc) x join document_lines l on l.company_id = company and l.document_id = doc and l.line = x.line)
  where d.company_id = company and d.id = doc and d.status not in ('draft', 'cancelled') and d.type in (1, 2, 3, 5, 7, 13)
    and exists (select 1 from document_lines l where l.company_id = company and l.document_id = doc) $$;

drop function issue_document(uuid, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb);

-- The whole of issuing in one round trip: number, document, lines, payments, entry, roll-ups, what it closes, outbox.
-- d = columns of documents, lines = columns of document_lines, payments = columns of document_payments, entries_ = see post_entry,
-- closes = see settle (without the id of this document, under `fromId` or `toId`), asked = [{rowId, id, agorot}] of payment requests,
-- jobs = [{id, name, payload, delaySeconds?}], rules = {first, number?, allowEarlier, carriesVat, credits?}, audit = {id, userId, address, after}.
-- Errors: PK003 closed period, PK004 earlier than the last of its series, PK035 more than a source line has left,
-- PK036 more credited than the invoice has, PK037 more closed than is open, PK039 a number of the paper book that is taken.
create function issue_document(company uuid, d jsonb, lines jsonb, payments jsonb, entries_ jsonb, closes jsonb, asked jsonb, jobs jsonb, rules jsonb, audit jsonb)
returns bigint language plpgsql as $$
declare
  given bigint;
  last date;
  doc uuid := (d->>'id')::uuid;
  on_day date := (d->>'day')::date;
  kept documents;
  source uuid;
  c jsonb;
  n bigint;
begin
  perform set_config('pinkas.issuing', doc::text, true);
  if exists (select 1 from locked_periods p where p.company_id = company and p.reopened_at is null and on_day between p.from_day and p.to_day
             and (p.kind <> 'vat' or (rules->>'carriesVat')::boolean)) then
    raise exception 'the period of % is closed', on_day using errcode = 'PK003';
  end if;
  delete from document_payments l where l.company_id = company and l.document_id = doc
    and exists (select 1 from documents x where x.company_id = company and x.id = doc and x.status = 'draft');
  delete from document_lines l where l.company_id = company and l.document_id = doc
    and exists (select 1 from documents x where x.company_id = company and x.id = doc and x.status = 'draft');
  delete from documents x where x.company_id = company and x.id = doc and x.status = 'draft';

  if rules->>'number' is not null then
    given := (rules->>'number')::bigint;
    if exists (select 1 from documents x where x.company_id = company and x.series = d->>'series' and x.number = given) then
      raise exception '%', given using errcode = 'PK039';
    end if;
  else
    insert into number_series as s (company_id, series, next_number, last_day)
    values (company, d->>'series', (rules->>'first')::bigint + 1, on_day)
    on conflict (company_id, series)
    do update set next_number = s.next_number + 1, previous_day = s.last_day, last_day = greatest(s.last_day, excluded.last_day)
    returning next_number - 1, previous_day into given, last;
    if last > on_day and not (rules->>'allowEarlier')::boolean then
      raise exception '%', last using errcode = 'PK004';
    end if;
  end if;

  kept := jsonb_populate_record(null::documents, jsonb_build_object('created_at', now()) || d || jsonb_build_object('company_id', company, 'number', given, 'issued_at', now(), 'updated_at', now()));
  insert into documents select kept.*;
  insert into document_lines
  select r.* from jsonb_array_elements(lines) l,
    lateral jsonb_populate_record(null::document_lines, jsonb_build_object('takes', 0) || l || jsonb_build_object('company_id', company, 'document_id', doc)) r;
  if jsonb_array_length(payments) > 0 then
    insert into document_payments
    select r.* from jsonb_array_elements(payments) l,
      lateral jsonb_populate_record(null::document_payments, jsonb_build_object('state', 'received', 'created_at', now(), 'updated_at', now()) || l || jsonb_build_object('company_id', company, 'document_id', doc)) r;
  end if;
  for c in select * from jsonb_array_elements(entries_) loop
    perform post_entry(company, c || jsonb_build_object('reference', given::text));
  end loop;

  for source in select distinct (l->>'source_document_id')::uuid from jsonb_array_elements(lines) l where l->>'source_document_id' is not null order by 1 loop
    perform 1 from documents x where x.company_id = company and x.id = source and x.status not in ('draft', 'cancelled') for update;
    if not found then raise exception '' using errcode = 'PK035'; end if;
    select x.line into n from left_of_lines(company, source) x where x.left_ < 0 limit 1;
    if found then raise exception '%', n using errcode = 'PK035'; end if;
    perform refresh_source(company, source);
  end loop;
  if (rules->>'credits')::boolean then
    update documents x set credited_agorot = x.credited_agorot + kept.total_agorot
    where x.company_id = company and x.id = kept.source_id and x.status not in ('draft', 'cancelled') and x.credited_agorot + kept.total_agorot <= x.total_agorot;
    if not found then raise exception '' using errcode = 'PK036'; end if;
  end if;
  for c in select * from jsonb_array_elements(closes) loop
    perform settle(company, c || case when c->>'fromId' is null then jsonb_build_object('fromId', doc) else jsonb_build_object('toId', doc) end);
  end loop;
  for c in select * from jsonb_array_elements(asked) loop
    update documents x set asked_agorot = x.asked_agorot - (c->>'agorot')::bigint, updated_at = now(),
      status = status_of(x.asked_agorot - (c->>'agorot')::bigint, x.total_agorot)
    where x.company_id = company and x.id = (c->>'id')::uuid and x.type = 5 and x.status not in ('draft', 'cancelled') and x.asked_agorot >= (c->>'agorot')::bigint;
    if not found then raise exception '' using errcode = 'PK037'; end if;
    insert into asked_payments (company_id, id, request_id, document_id, agorot) values (company, (c->>'rowId')::uuid, (c->>'id')::uuid, doc, (c->>'agorot')::bigint);
  end loop;

  insert into outbox (id, company_id, name, payload, run_after)
  select (j->>'id')::uuid, company, j->>'name', j->'payload', now() + make_interval(secs => coalesce((j->>'delaySeconds')::int, 0)) from jsonb_array_elements(jobs) j;
  insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
  values (company, (audit->>'id')::uuid, (audit->>'userId')::uuid, audit->>'address', 'documents.issue', 'documents', doc, audit->'after' || jsonb_build_object('number', given));
  return given;
end $$;

-- Rates of the Bank of Israel by day: shekels for one unit. The same for every business.
create table exchange_rates (
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  rate numeric(18, 6) not null check (rate > 0),
  primary key (currency, day)
);
grant select on exchange_rates to pinkas_app;

-- Papers that are issued together are written together: one statement for all their rows, however many papers there are. What a paper cost was
-- mostly the beginning and the end of its fourteen statements, and the same sums of accounts written again for each.

-- Writes entries with their lines and keeps the sums. Each = {id, day, valueDay, kind, reference, details, documentId, reversesId, by,
-- lines: [{account, party, amount, currency, foreign}]}. Errors: PK002 one that does not balance, PK003 one in a closed month or year.
create function post_entries(company uuid, all_ jsonb) returns void language plpgsql as $$
declare
  total numeric;
  closed date;
begin
  select sums.total into total from jsonb_to_recordset(all_) e (lines jsonb),
    lateral (select coalesce(sum(l.amount), 1) as total from jsonb_to_recordset(e.lines) l (amount bigint)) sums where sums.total <> 0 limit 1;
  if found then
    raise exception 'entry does not balance: %', total using errcode = 'PK002';
  end if;
  select e.day into closed from jsonb_to_recordset(all_) e (day date)
    join locked_periods p on p.company_id = company and p.reopened_at is null and p.kind in ('month', 'year') and e.day between p.from_day and p.to_day limit 1;
  if found then
    raise exception 'the period of % is closed', closed using errcode = 'PK003';
  end if;
  insert into entries (company_id, id, day, value_day, kind, reference, details, document_id, reverses_id, created_by)
  select company, e.id, e.day, coalesce(e."valueDay", e.day), e.kind, coalesce(e.reference, ''), coalesce(e.details, ''), e."documentId", e."reversesId", e.by
  from jsonb_to_recordset(all_) e (id uuid, day date, "valueDay" date, kind text, reference text, details text, "documentId" uuid, "reversesId" uuid, by uuid);
  insert into postings (company_id, entry_id, line, account_id, party_id, day, amount_agorot, currency, foreign_amount)
  select company, e.id, l.ordinality, l.account, l.party, e.day, l.amount, l.currency, l."foreign"
  from jsonb_to_recordset(all_) e (id uuid, day date, lines jsonb),
    lateral rows from (jsonb_to_recordset(e.lines) as (account uuid, party uuid, amount bigint, currency text, "foreign" bigint)) with ordinality l
  where l.amount <> 0;
  -- In the order of accounts, so that two postings never wait for each other crosswise.
  insert into account_months as m (company_id, account_id, month, debit_agorot, credit_agorot)
  select company, l.account, date_trunc('month', e.day)::date, sum(greatest(l.amount, 0)), sum(greatest(-l.amount, 0))
  from jsonb_to_recordset(all_) e (day date, lines jsonb), lateral jsonb_to_recordset(e.lines) l (account uuid, amount bigint) group by 2, 3 order by 2, 3
  on conflict (company_id, account_id, month)
  do update set debit_agorot = m.debit_agorot + excluded.debit_agorot, credit_agorot = m.credit_agorot + excluded.credit_agorot;
  insert into party_months as m (company_id, party_id, account_id, month, debit_agorot, credit_agorot)
  select company, l.party, l.account, date_trunc('month', e.day)::date, sum(greatest(l.amount, 0)), sum(greatest(-l.amount, 0))
  from jsonb_to_recordset(all_) e (day date, lines jsonb), lateral jsonb_to_recordset(e.lines) l (account uuid, party uuid, amount bigint)
  where l.party is not null group by 2, 3, 4 order by 2, 3, 4
  on conflict (company_id, party_id, account_id, month)
  do update set debit_agorot = m.debit_agorot + excluded.debit_agorot, credit_agorot = m.credit_agorot + excluded.credit_agorot;
end $$;

-- One entry, as post_entries takes them.
create or replace function post_entry(company uuid, e jsonb) returns void language sql as $$ select post_entries(company, jsonb_build_array(e)) $$;

-- The same of what watches over new rows: once for all rows of a statement.
drop trigger documents_join on documents;
drop trigger entries_join on entries;
drop function wait_for_chain();
-- As the owner: the application's role may not put anything into the chain by itself, nor take it out.
create function documents_wait_for_chain() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into chain_waiting (company_id, kind, record_id) select company_id, 'document', id from fresh where status <> 'draft';
  return null;
end $$;
create function entries_wait_for_chain() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into chain_waiting (company_id, kind, record_id) select company_id, 'entry', id from fresh;
  return null;
end $$;
create trigger documents_join after insert on documents referencing new table as fresh for each statement execute function documents_wait_for_chain();
create trigger entries_join after insert on entries referencing new table as fresh for each statement execute function entries_wait_for_chain();

drop trigger zz_documents_locked on documents;
create or replace function refuse_locked_document() returns trigger language plpgsql as $$
declare
  closed date;
begin
  select f.day into closed from fresh f join locked_periods p on p.company_id = f.company_id and p.reopened_at is null and p.kind = 'vat'
    and f.day between p.from_day and p.to_day where f.status <> 'draft' and f.type in (8, 9, 10, 12) limit 1;
  if found then raise exception '%', closed using errcode = 'PK260'; end if;
  return null;
end $$;
create trigger zz_documents_locked after insert on documents referencing new table as fresh for each statement execute function refuse_locked_document();

create or replace function refuse_locked_postings() returns trigger language plpgsql as $$
declare
  closed date;
  settling uuid[];
begin
  -- Hardly ever is anything locked where entries are written: that is asked first.
  if not exists (select 1 from (select company_id, min(day) as first, max(day) as last from fresh group by 1) d
                 join locked_periods p on p.company_id = d.company_id and p.reopened_at is null and p.to_day >= d.first and p.from_day <= d.last) then
    return null;
  end if;
  select f.day into closed from fresh f join locked_periods p on p.company_id = f.company_id and p.reopened_at is null
    and f.day between p.from_day and p.to_day and p.kind in ('month', 'year') limit 1;
  if found then raise exception 'the period of % is closed', closed using errcode = 'PK003'; end if;
  settling := array(select g.entry_id from fresh g join accounts b on b.company_id = g.company_id and b.id = g.account_id where b.number = '2110');
  select f.day into closed from fresh f join locked_periods p on p.company_id = f.company_id and p.reopened_at is null
    and f.day between p.from_day and p.to_day and p.kind = 'vat'
    join accounts a on a.company_id = f.company_id and a.id = f.account_id and a.number in ('1200', '1210', '2100')
    where f.entry_id <> all (settling)
    and not exists (select 1 from entries e left join entries o on o.company_id = e.company_id and o.id = e.reverses_id
      where e.company_id = f.company_id and e.id = f.entry_id and coalesce(o.kind, e.kind) in ('vatSettlement', 'opening')) limit 1;
  if found then raise exception '%', closed using errcode = 'PK260'; end if;
  return null;
end $$;

-- New lines are looked at once for all of them. Papers that are being issued are named in `pinkas.issuing`, with commas between.
create function guard_new_lines() returns trigger language plpgsql as $$
declare
  issuing uuid[] := string_to_array(current_setting('pinkas.issuing', true), ',');
begin
  if exists (select 1 from fresh f join documents d on d.company_id = f.company_id and d.id = f.document_id and d.status <> 'draft'
             where issuing is null or d.id <> all (issuing)) then
    raise exception 'an issued document gets no more lines' using errcode = 'PK001';
  end if;
  return null;
end $$;
drop trigger lines_guard_new on document_lines;
drop trigger payments_guard_new on document_payments;
create trigger lines_guard_new after insert on document_lines referencing new table as fresh for each statement execute function guard_new_lines();
create trigger payments_guard_new after insert on document_payments referencing new table as fresh for each statement execute function guard_new_lines();
drop function guard_new_line();

-- The whole of issuing in one round trip: numbers, documents, lines, payments, entries, roll-ups, what they close, outbox. Answers the numbers in the
-- order of the papers. No paper may lean on another of the same call, nor two on the same third.
-- docs = columns of documents, rules = of each of them {number?, allowEarlier, carriesVat, credits}, lines = columns of document_lines, payments =
-- columns of document_payments, entries_ = see post_entries, each with the place of its `paper` among the documents (from 1), closes = see settle,
-- asked = [{rowId, id, documentId, agorot}] of payment requests, jobs = [{id, name, payload, delaySeconds}],
-- audit = of each document {id, userId, address, after}.
-- Errors: PK003 closed period, PK004 earlier than the last of its series, PK035 more than a source line has left,
-- PK036 more credited than the invoice has, PK037 more closed than is open, PK039 a number of the paper book that is taken.
create function issue_documents(company uuid, docs jsonb, rules jsonb, lines jsonb, payments jsonb, entries_ jsonb, closes jsonb, asked jsonb, jobs jsonb, audit jsonb)
returns jsonb language plpgsql as $$
declare
  numbers bigint[] := array_fill(null::bigint, array[jsonb_array_length(docs)]);
  s record;
  one record;
  given bigint;
  last date;
  closed date;
  c jsonb;
  n bigint;
begin
  perform set_config('pinkas.issuing', (select string_agg(d.id::text, ',') from jsonb_to_recordset(docs) d (id uuid)), true);
  select d.day into closed from rows from (jsonb_to_recordset(docs) as (day date), jsonb_to_recordset(rules) as ("carriesVat" boolean)) d (day, carries_vat)
    join locked_periods p on p.company_id = company and p.reopened_at is null and d.day between p.from_day and p.to_day and (p.kind <> 'vat' or d.carries_vat) limit 1;
  if found then
    raise exception 'the period of % is closed', closed using errcode = 'PK003';
  end if;
  -- The draft goes, with its lines and payments, where the paper comes.
  delete from documents x where x.company_id = company and x.status = 'draft' and x.id = any (array(select d.id from jsonb_to_recordset(docs) d (id uuid)));

  -- In the order of series, so that two calls never wait for each other crosswise.
  for s in select d.series, d.number is not null as by_hand, count(*) as papers, max(d.day) as latest
    from rows from (jsonb_to_recordset(docs) as (series text, day date), jsonb_to_recordset(rules) as (number bigint)) d (series, day, number) group by 1, 2 order by 1, 2 loop
    if not s.by_hand then
      insert into number_series as x (company_id, series, next_number, last_day)
      values (company, s.series, s.papers + 1, s.latest)
      on conflict (company_id, series)
      do update set next_number = x.next_number + s.papers, previous_day = x.last_day, last_day = greatest(x.last_day, excluded.last_day)
      returning next_number - s.papers, previous_day into given, last;
    end if;
    for one in select d.ordinality as place, d.day, d.number, d.allow_earlier
      from rows from (jsonb_to_recordset(docs) as (series text, day date), jsonb_to_recordset(rules) as (number bigint, "allowEarlier" boolean)) with ordinality d (series, day, number, allow_earlier)
      where d.series = s.series and (d.number is not null) = s.by_hand order by 1 loop
      if s.by_hand then
        if exists (select 1 from documents x where x.company_id = company and x.series = s.series and x.number = one.number) then
          raise exception '%', one.number using errcode = 'PK039';
        end if;
        numbers[one.place] := one.number;
        continue;
      end if;
      if last > one.day and not one.allow_earlier then
        raise exception '%', last using errcode = 'PK004';
      end if;
      numbers[one.place] := given;
      given := given + 1;
      last := greatest(last, one.day);
    end loop;
  end loop;

  insert into documents
  select r.* from jsonb_array_elements(docs) with ordinality t (d, place),
    lateral jsonb_populate_record(null::documents, d || jsonb_build_object('company_id', company, 'number', numbers[place], 'issued_at', now(), 'updated_at', now())) r;
  insert into document_lines select * from jsonb_populate_recordset(null::document_lines, lines);
  if jsonb_array_length(payments) > 0 then
    insert into document_payments
    select r.* from jsonb_array_elements(payments) l,
      lateral jsonb_populate_record(null::document_payments, l || jsonb_build_object('state', 'received', 'created_at', now(), 'updated_at', now())) r;
  end if;
  if jsonb_array_length(entries_) > 0 then
    perform post_entries(company, (select jsonb_agg(e || jsonb_build_object('reference', numbers[(e->>'paper')::int]::text)) from jsonb_array_elements(entries_) e));
  end if;

  for one in select distinct l.document_id, d.type, l.source_document_id as source from jsonb_to_recordset(lines) l (document_id uuid, source_document_id uuid)
    join documents d on d.company_id = company and d.id = l.document_id where l.source_document_id is not null order by 1, 3 loop
    perform 1 from documents x where x.company_id = company and x.id = one.source and x.status not in ('draft', 'cancelled') for update;
    if not found then raise exception '' using errcode = 'PK035'; end if;
    -- Only what this paper takes is asked: goods that came back after they were charged leave less than nothing to charge, and that is right.
    select x.line into n from left_of_lines(company, one.source, one.type) x where x.left_ < 0
      and exists (select 1 from document_lines t where t.company_id = company and t.document_id = one.document_id
        and t.source_document_id = one.source and t.source_line = x.line and t.takes > 0) limit 1;
    if found then raise exception '%', n using errcode = 'PK035'; end if;
    perform refresh_source(company, one.source);
  end loop;
  for one in select d.source_id, d.total_agorot
    from rows from (jsonb_to_recordset(docs) as (source_id uuid, total_agorot bigint), jsonb_to_recordset(rules) as (credits boolean)) d (source_id, total_agorot, credits) where d.credits loop
    update documents x set credited_agorot = x.credited_agorot + one.total_agorot
    where x.company_id = company and x.id = one.source_id and x.status not in ('draft', 'cancelled') and x.credited_agorot + one.total_agorot <= x.total_agorot;
    if not found then raise exception '' using errcode = 'PK036'; end if;
  end loop;
  for c in select * from jsonb_array_elements(closes) loop
    perform settle(company, c);
  end loop;
  for one in select * from jsonb_to_recordset(asked) a ("rowId" uuid, id uuid, "documentId" uuid, agorot bigint) loop
    update documents x set asked_agorot = x.asked_agorot - one.agorot, updated_at = now(), status = status_of(x.asked_agorot - one.agorot, x.total_agorot)
    where x.company_id = company and x.id = one.id and x.type = 5 and x.status not in ('draft', 'cancelled') and x.asked_agorot >= one.agorot;
    if not found then raise exception '' using errcode = 'PK037'; end if;
    insert into asked_payments (company_id, id, request_id, document_id, agorot) values (company, one."rowId", one.id, one."documentId", one.agorot);
  end loop;

  insert into outbox (id, company_id, name, payload, run_after)
  select j.id, company, j.name, j.payload, now() + make_interval(secs => j."delaySeconds") from jsonb_to_recordset(jobs) j (id uuid, name text, payload jsonb, "delaySeconds" int);
  insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
  select company, a.id, a.user_id, a.address, 'documents.issue', 'documents', a.document_id, a.after || jsonb_build_object('number', numbers[a.ordinality])
  from rows from (jsonb_to_recordset(audit) as (id uuid, "userId" uuid, address text, after jsonb), jsonb_to_recordset(docs) as (id uuid))
    with ordinality a (id, user_id, address, after, document_id);
  return to_jsonb(numbers);
end $$;
drop function issue_document(uuid, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb);

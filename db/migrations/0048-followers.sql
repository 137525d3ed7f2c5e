-- What is left of a line depends on who wants it: asking for money does not supply, and goods that were charged can still come back. A payment
-- request that became an invoice asks no longer. A rate of exchange keeps where it came from and its own day.

alter table documents
  -- Where the rate of a document in another currency came from: the Bank of Israel, the business's own table, or a person; nothing where nobody noted it.
  -- Its own day is rate_day; a rate that a person typed has none.
  add column rate_source text check (rate_source in ('bank', 'own', 'typed'));

-- The types that use up what `follower` could take of a paper of type `source`. The same table as src/domain/documents/following.ts.
create function used_by(source int, follower int) returns int[] language sql immutable parallel safe
  as $$ select case
    when source = 1 and follower in (2, 3, 8, 9) then array[2, 3, 8, 9]
    when source = 1 and follower = 5 then array[5, 8, 9]
    when source = 2 and follower in (3, 8, 9) then array[3, 8, 9]
    when source = 2 and follower = 5 then array[5, 8, 9]
    when source = 3 and follower in (5, 8, 9) then array[4, 5, 8, 9]
    when source = 3 and follower = 4 then array[4]
    when source = 5 and follower in (8, 9) then array[8, 9]
    when source in (8, 9) and follower = 3 then array[3, 10]
    when source in (8, 9) and follower = 10 then array[10]
    when source = 7 and follower in (12, 13) then array[12, 13]
    when source = 13 and follower = 12 then array[12]
    else array[follower] end $$;

-- How much of each line of a document no later document has taken that could stand in the place of `follower`; below nothing when a line that was
-- charged came back.
create function left_of_lines(company uuid, doc uuid, follower int) returns table (line smallint, left_ numeric) language sql stable
  as $$ select l.line, l.quantity - coalesce((select sum(t.takes) from document_lines t
      join documents d on d.company_id = t.company_id and d.id = t.document_id and d.status not in ('draft', 'cancelled')
      where t.company_id = l.company_id and t.source_document_id = l.document_id and t.source_line = l.line
        and d.type = any (used_by(s.type, follower))), 0)
    from document_lines l join documents s on s.company_id = l.company_id and s.id = l.document_id
    where l.company_id = company and l.document_id = doc $$;

-- A source without money of its own is closed by its lines: a quote when it was ordered or asked money for, an order when it was supplied. A request
-- is closed by what it asks.
create or replace function refresh_source(company uuid, doc uuid) returns void language sql as $$
  update documents d set updated_at = now(), status = (select case when bool_and(x.left_ <= 0) then 'closed' when bool_and(x.left_ = l.quantity) then 'issued' else 'partlyClosed' end
    from (select y.line, min(y.left_) as left_
        from unnest(case d.type when 1 then array[2, 5] when 2 then array[3] when 3 then array[8] when 7 then array[13] else array[12] end) f,
          lateral left_of_lines(company, doc, f) y group by y.line) x
      join document_lines l on l.company_id = company and l.document_id = doc and l.line = x.line)
  where d.company_id = company and d.id = doc and d.status not in ('draft', 'cancelled') and d.type in (1, 2, 3, 7, 13)
    and exists (select 1 from document_lines l where l.company_id = company and l.document_id = doc) $$;

-- The whole of issuing in one round trip: number, document, lines, payments, entry, roll-ups, what it closes, outbox.
-- d = columns of documents, lines = columns of document_lines, payments = columns of document_payments, entries_ = see post_entry,
-- closes = see settle (without the id of this document, under `fromId` or `toId`), asked = [{rowId, id, agorot}] of payment requests,
-- jobs = [{id, name, payload, delaySeconds?}], rules = {first, number?, allowEarlier, carriesVat, credits?}, audit = {id, userId, address, after}.
-- Errors: PK003 closed period, PK004 earlier than the last of its series, PK035 more than a source line has left,
-- PK036 more credited than the invoice has, PK037 more closed than is open, PK039 a number of the paper book that is taken.
create or replace function issue_document(company uuid, d jsonb, lines jsonb, payments jsonb, entries_ jsonb, closes jsonb, asked jsonb, jobs jsonb, rules jsonb, audit jsonb)
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
    -- Only what this paper takes is asked: goods that came back after they were charged leave less than nothing to charge, and that is right.
    select x.line into n from left_of_lines(company, source, kept.type) x where x.left_ < 0
      and exists (select 1 from document_lines t where t.company_id = company and t.document_id = doc and t.source_document_id = source and t.source_line = x.line and t.takes > 0) limit 1;
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

drop function left_of_lines(uuid, uuid);

-- Requests that were made into an invoice before this asked on: they ask no longer.
with answered as (
  select d.company_id, d.id, d.asked_agorot, (select t.document_id from document_lines t join documents i on i.company_id = t.company_id and i.id = t.document_id
      where t.company_id = d.company_id and t.source_document_id = d.id and i.type in (8, 9) and i.status not in ('draft', 'cancelled') order by i.issued_at desc limit 1) as invoice
  from documents d where d.type = 5 and d.status not in ('draft', 'cancelled') and d.asked_agorot > 0
    and exists (select 1 from document_lines l where l.company_id = d.company_id and l.document_id = d.id)
    and not exists (select 1 from left_of_lines(d.company_id, d.id, 8) x where x.left_ > 0)
), told as (
  insert into asked_payments (company_id, id, request_id, document_id, agorot)
  select company_id, gen_random_uuid(), id, invoice, asked_agorot from answered where invoice is not null returning company_id, request_id
)
update documents d set asked_agorot = 0, status = 'closed' from told where d.company_id = told.company_id and d.id = told.request_id;

-- The states of what was taken, counted anew.
select refresh_source(s.company_id, s.id) from (select distinct company_id, source_document_id as id from document_lines where source_document_id is not null) s;
update documents set status = case when asked_agorot = 0 then 'closed' when asked_agorot = total_agorot then 'issued' else 'partlyClosed' end
  where type = 5 and status not in ('draft', 'cancelled') and total_agorot > 0;

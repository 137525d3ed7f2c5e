-- A paper is issued in half the time: what is not there is not looked for, and each question is planned once for a connection instead of once for a paper
-- (what it takes and what it refuses stands in 0080).
create or replace function issue_documents(company uuid, docs jsonb, rules jsonb, lines jsonb, payments jsonb, entries_ jsonb, closes jsonb, asked jsonb, jobs jsonb, audit jsonb)
returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  numbers bigint[] := array_fill(null::bigint, array[jsonb_array_length(docs)]);
  s record;
  one record;
  given bigint;
  last date;
  closed date;
  c jsonb;
  n bigint;
  ids uuid[] := array(select d.id from jsonb_to_recordset(docs) d (id uuid));
begin
  perform set_config('pinkas.issuing', array_to_string(ids, ','), true);
  select d.day into closed from rows from (jsonb_to_recordset(docs) as (day date), jsonb_to_recordset(rules) as ("carriesVat" boolean)) d (day, carries_vat)
    join locked_periods p on p.company_id = company and p.reopened_at is null and d.day between p.from_day and p.to_day and (p.kind <> 'vat' or d.carries_vat) limit 1;
  if found then
    raise exception 'the period of % is closed', closed using errcode = 'PK003';
  end if;
  -- The draft goes, with its lines and payments, where the paper comes.
  delete from documents x where x.company_id = company and x.status = 'draft' and x.id = any (ids);

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

  if lines @? '$[*] ? (@.source_document_id != null)' then
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
  end if;
  if rules @? '$[*] ? (@.credits == true)' then
    for one in select d.source_id, d.total_agorot
      from rows from (jsonb_to_recordset(docs) as (source_id uuid, total_agorot bigint), jsonb_to_recordset(rules) as (credits boolean)) d (source_id, total_agorot, credits) where d.credits loop
      update documents x set credited_agorot = x.credited_agorot + one.total_agorot
      where x.company_id = company and x.id = one.source_id and x.status not in ('draft', 'cancelled') and x.credited_agorot + one.total_agorot <= x.total_agorot;
      if not found then raise exception '' using errcode = 'PK036'; end if;
    end loop;
  end if;
  if jsonb_array_length(closes) > 0 then
    for c in select * from jsonb_array_elements(closes) loop
      perform settle(company, c);
    end loop;
  end if;
  if jsonb_array_length(asked) > 0 then
    for one in select * from jsonb_to_recordset(asked) a ("rowId" uuid, id uuid, "documentId" uuid, agorot bigint) loop
      update documents x set asked_agorot = x.asked_agorot - one.agorot, updated_at = now(), status = status_of(x.asked_agorot - one.agorot, x.total_agorot)
      where x.company_id = company and x.id = one.id and x.type = 5 and x.status not in ('draft', 'cancelled') and x.asked_agorot >= one.agorot;
      if not found then raise exception '' using errcode = 'PK037'; end if;
      insert into asked_payments (company_id, id, request_id, document_id, agorot) values (company, one."rowId", one.id, one."documentId", one.agorot);
    end loop;
  end if;

  if jsonb_array_length(jobs) > 0 then
    insert into outbox (id, company_id, name, payload, run_after)
    select j.id, company, j.name, j.payload, now() + make_interval(secs => j."delaySeconds") from jsonb_to_recordset(jobs) j (id uuid, name text, payload jsonb, "delaySeconds" int);
  end if;
  insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
  select company, a.id, a.user_id, a.address, 'documents.issue', 'documents', a.document_id, a.after || jsonb_build_object('number', numbers[a.ordinality])
  from rows from (jsonb_to_recordset(audit) as (id uuid, "userId" uuid, address text, after jsonb), jsonb_to_recordset(docs) as (id uuid))
    with ordinality a (id, user_id, address, after, document_id);
  return to_jsonb(numbers);
end $$;

-- The plan that suits every business suits each of them here: all of it is found by keys.
alter function post_entries(uuid, jsonb) set plan_cache_mode = force_generic_plan;
alter function settle(uuid, jsonb) set plan_cache_mode = force_generic_plan;
alter function guard_new_lines() set plan_cache_mode = force_generic_plan;
alter function refuse_locked_postings() set plan_cache_mode = force_generic_plan;
alter function refuse_locked_document() set plan_cache_mode = force_generic_plan;
alter function stamp_book_day(uuid, date) set plan_cache_mode = force_generic_plan;

-- Money of a customer closes debts that were issued to a record merged into it: what counts is the surviving record of both documents.
create function stands_for(company uuid, party uuid) returns uuid language sql stable as $$
  select coalesce((select coalesce(p.merged_into, p.id) from parties p where p.company_id = company and p.id = party), party)
$$;

create or replace function settle(company uuid, s jsonb) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  from_doc documents;
  to_doc documents;
  from_amount bigint := (s->>'fromAgorot')::bigint;
  to_amount bigint := (s->>'toAgorot')::bigint;
  from_ils bigint;
  to_ils bigint;
  difference bigint;
  on_day date;
begin
  -- In the order of ids, so that two settlements never wait for each other crosswise.
  perform 1 from documents where company_id = company and id in ((s->>'fromId')::uuid, (s->>'toId')::uuid) order by id for update;
  select * into from_doc from documents where company_id = company and id = (s->>'fromId')::uuid;
  select * into to_doc from documents where company_id = company and id = (s->>'toId')::uuid;
  if from_doc.id is null or to_doc.id is null or stands_for(company, from_doc.customer_id) is distinct from stands_for(company, to_doc.customer_id)
     or from_amount <= 0 or to_amount <= 0 or -from_doc.open_in_currency_agorot < from_amount or to_doc.open_in_currency_agorot < to_amount
     or (from_doc.currency = to_doc.currency and from_amount <> to_amount) then
    raise exception '%', coalesce(to_doc.number::text, '') using errcode = 'PK037';
  end if;
  -- Nothing is closed before both are there.
  on_day := greatest((s->>'day')::date, from_doc.day, to_doc.day);
  from_ils := case when -from_doc.open_in_currency_agorot = from_amount then -from_doc.open_agorot
    else round(-from_doc.open_agorot::numeric * from_amount / -from_doc.open_in_currency_agorot) end;
  to_ils := case when to_doc.open_in_currency_agorot = to_amount then to_doc.open_agorot
    else round(to_doc.open_agorot::numeric * to_amount / to_doc.open_in_currency_agorot) end;
  -- What the customer's card still shows once both are closed: gained when the money was worth more than the debt.
  difference := from_ils - to_ils;
  if difference <> 0 then
    perform post_entry(company, jsonb_build_object('id', s->>'entryId', 'day', on_day, 'kind', 'exchangeDifference', 'reference', to_doc.number,
      'documentId', to_doc.id, 'by', s->>'by', 'lines', jsonb_build_array(
        jsonb_build_object('account', s->>'customers', 'party', stands_for(company, to_doc.customer_id), 'amount', difference),
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

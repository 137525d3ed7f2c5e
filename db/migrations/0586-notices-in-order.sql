-- Notices of one thing leave in the order in which it changed: a receiver that read a document as closed would otherwise hear afterwards that it was issued.

-- Beside each delivery the thing it tells of, so that what waits before it is found without reading the events of a business.
alter table webhook_deliveries add column entity_id uuid;
update webhook_deliveries d set entity_id = v.entity_id from events v
  where d.state = 'waiting' and v.company_id = d.company_id and v.id = d.event_id;
create index webhook_deliveries_in_order on webhook_deliveries (company_id, endpoint_id, entity_id) where state = 'waiting';

create or replace function webhooks_hear() returns trigger language plpgsql security definer set search_path = public set plan_cache_mode = force_generic_plan as $$
begin
  insert into webhook_deliveries (company_id, endpoint_id, event_id, entity_id)
  select e.company_id, e.id, f.id, f.entity_id from fresh f join webhook_endpoints e on e.company_id = f.company_id
  where e.state = 'on' and e.archived_at is null and f.name like any (e.patterns) and f.name <> 'webhook.test'
    and (not e.of_payments or exists (select 1 from charges c join webhook_payments p on p.company_id = c.company_id and p.link_id = c.link_id
      where c.company_id = f.company_id and c.id = f.entity_id and p.endpoint_id = e.id));
  return null;
end $$;

-- A document that is issued and closed in one transaction (a credit, an invoice receipt) is closed by a trigger before the command tells that it was
-- issued: what was issued takes the place before all else that was told of it.
create or replace function tell_documents(company uuid, ids uuid[], name text) returns void language plpgsql security definer set search_path = public
set plan_cache_mode = force_generic_plan as $$
declare
  -- The smallest id of an event of this transaction (RFC 9562, version 7: milliseconds come first).
  since uuid := encode(overlay('\x00000000000070008000000000000000'::bytea
    placing substring(int8send((extract(epoch from transaction_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 'hex')::uuid;
begin
  insert into events (company_id, id, name, entity, entity_id, version, payload, by_user)
  select company, new_event_id(), tell_documents.name, 'documents', d.id,
    coalesce((select min(e.version) - 1 from events e
      where e.company_id = company and e.id >= since and e.entity_id = d.id), new_event_version()),
    document_told(d), nullif(current_person(), '00000000-0000-0000-0000-000000000000')
  from unnest(ids) with ordinality o (id, place) join documents d on d.company_id = company and d.id = o.id order by o.place;
end $$;

-- What happened, told once: a row in the same transaction as the deed itself, so that whoever listens (webhooks, boards, the bell, shops) hears of
-- everything that was committed and of nothing that was taken back.
create table events (
  -- Without a foreign key to companies: it would be asked at each paper that is issued, and every row comes beside one that has it.
  company_id uuid not null,
  id uuid not null,
  -- '<thing>.<what became of it>', of the list the program declares.
  name text not null check (name ~ '^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$' and length(name) <= 60),
  entity text not null check (length(entity) between 1 and 60),
  entity_id uuid,
  -- The larger is the newer; of two tellings of one thing the smaller may come later.
  version bigint not null,
  payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object' and pg_column_size(payload) < 4000),
  -- Who did it; absent where the system did.
  by_user uuid,
  at timestamptz not null default clock_timestamp(),
  primary key (company_id, id)
);
select secure_table('events', 'select');
create policy own_customers on events as restrictive to pinkas_own using (false);
-- What has had its time is found across all businesses; rows lie in the order they were told, so hardly anything is written for it. Within a business the
-- key is the order of time.
create index events_old on events using brin (at) with (pages_per_range = 32, autosummarize = on);

-- Ids of events are made here and not by the server, because triggers tell events too; sorted by time like all others (RFC 9562, version 7).
create function new_event_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $$;

-- Microseconds, taken where the row that changed is locked already.
create function new_event_version() returns bigint language sql volatile as $$ select (extract(epoch from clock_timestamp()) * 1000000)::bigint $$;

-- What an event says of a document, from the document itself.
create function document_told(d documents) returns jsonb language sql stable as $$
  select jsonb_build_object('number', d.number, 'type', d.type, 'status', d.status, 'day', d.day, 'customerId', d.customer_id, 'currency', d.currency,
    'totalAgorot', d.total_agorot) $$;

-- Tells events: told = [{name, entity, entityId, payload}]. As the owner, so that nobody can tell what did not happen by a plain insert.
create function tell_events(company uuid, told jsonb) returns void language plpgsql security definer set search_path = public
set plan_cache_mode = force_generic_plan as $$
begin
  insert into events (company_id, id, name, entity, entity_id, version, payload, by_user)
  select company, new_event_id(), t.name, t.entity, t."entityId", new_event_version(),
    case when d.id is null then coalesce(t.payload, '{}') else document_told(d) || coalesce(t.payload, '{}') end,
    nullif(current_person(), '00000000-0000-0000-0000-000000000000')
  from jsonb_to_recordset(told) t (name text, entity text, "entityId" uuid, payload jsonb)
    left join documents d on t.entity = 'documents' and d.company_id = company and d.id = t."entityId";
end $$;

-- Of papers that were just issued, one telling for all of them.
create function tell_documents(company uuid, ids uuid[], name text) returns void language plpgsql security definer set search_path = public
set plan_cache_mode = force_generic_plan as $$
begin
  insert into events (company_id, id, name, entity, entity_id, version, payload, by_user)
  select company, new_event_id(), tell_documents.name, 'documents', d.id, new_event_version(), document_told(d),
    nullif(current_person(), '00000000-0000-0000-0000-000000000000')
  from unnest(ids) with ordinality o (id, place) join documents d on d.company_id = company and d.id = o.id order by o.place;
end $$;

-- Whatever closes, opens or cancels a paper, by whichever command, is told here.
create function documents_told() returns trigger language plpgsql as $$
begin
  perform tell_events(new.company_id, jsonb_build_array(jsonb_build_object('entity', 'documents', 'entityId', new.id, 'name',
    case new.status when 'closed' then 'document.closed' when 'partlyClosed' then 'document.partlyClosed' when 'cancelled' then 'document.cancelled'
      else 'document.reopened' end)));
  return null;
end $$;
create trigger documents_told after update on documents for each row
  when (old.status is distinct from new.status and old.status <> 'draft') execute function documents_told();

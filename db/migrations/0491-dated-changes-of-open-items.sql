-- What customers owe on a past day follows from dated facts alone. A settlement counts from the later day of its two documents: money that came before
-- its invoice closes nothing until the invoice is there. A cheque that bounced, a payment that was disputed and their undoing each leave a row with its day.
create table open_changes (
  company_id uuid not null references companies,
  id uuid not null default gen_random_uuid(),
  document_id uuid not null,
  day date not null,
  -- What is added to the open amount of the document, in its currency and in shekels.
  agorot bigint not null,
  ils_agorot bigint not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
create index open_changes_of on open_changes (company_id, document_id);
create index open_changes_by_day on open_changes (company_id, day);
create trigger open_changes_frozen before update or delete on open_changes for each row execute function refuse_change();
select secure_table('open_changes', 'select, insert');
create policy own_customers on open_changes as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = open_changes.company_id and d.id = open_changes.document_id));

-- Payments that came back before, by the days of their entries.
insert into open_changes (company_id, document_id, day, agorot, ils_agorot, created_by, created_at)
select r.company_id, y.document_id, r.day, y.amount_agorot, y.ils_agorot, r.created_by, r.created_at
from payment_returns r join document_payments y on y.company_id = r.company_id and y.id = r.payment_id
  join documents d on d.company_id = y.company_id and d.id = y.document_id
where d.type not in (11, 14)
union all
select r.company_id, y.document_id, e.day, -y.amount_agorot, -y.ils_agorot, r.created_by, r.undone_at
from payment_returns r join document_payments y on y.company_id = r.company_id and y.id = r.payment_id
  join documents d on d.company_id = y.company_id and d.id = y.document_id
  join entries e on e.company_id = r.company_id and e.id = r.undo_entry_id
where d.type not in (11, 14);
insert into open_changes (company_id, document_id, day, agorot, ils_agorot, created_by, created_at)
select e.company_id, e.document_id, e.day, s.turned * c.amount_agorot,
  (select coalesce(sum(p.amount_agorot), 0) from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    where p.company_id = e.company_id and p.entry_id = e.id and a.number = '1100'), c.created_by, e.created_at
from charge_disputes c
  join entries e on e.company_id = c.company_id and (e.id = c.entry_id or e.reverses_id = c.entry_id)
  cross join lateral (select case when e.id = c.entry_id then 1 else -1 end as turned) s
where c.entry_id is not null and e.document_id is not null;

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
  if from_doc.id is null or to_doc.id is null or from_doc.customer_id is distinct from to_doc.customer_id
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
create or replace function unsettle(company uuid, settlement uuid, s jsonb) returns void language plpgsql as $$
declare
  old settlements;
  on_day date;
begin
  select * into old from settlements where company_id = company and id = settlement;
  if old.id is null or old.reverses_id is not null or exists (select 1 from settlements x where x.company_id = company and x.reverses_id = settlement) then
    raise exception 'no such settlement' using errcode = 'PK038';
  end if;
  perform 1 from documents where company_id = company and id in (old.from_id, old.to_id) order by id for update;
  -- What was closed cannot be open again before it was closed.
  on_day := greatest((s->>'day')::date, old.day);
  -- A paper and what offsets it close each other for good.
  if exists (select 1 from documents x where x.company_id = company and x.id in (old.from_id, old.to_id) and x.status = 'cancelled') then
    raise exception 'cancelled' using errcode = 'PK038';
  end if;
  if old.entry_id is not null then
    perform post_entry(company, jsonb_build_object('id', s->>'entryId', 'day', on_day, 'kind', 'exchangeDifference', 'documentId', old.to_id, 'by', s->>'by',
      'reversesId', old.entry_id, 'lines', (select jsonb_agg(jsonb_build_object('account', p.account_id, 'party', p.party_id, 'amount', -p.amount_agorot) order by p.line)
        from postings p where p.company_id = company and p.entry_id = old.entry_id)));
  end if;
  insert into settlements (company_id, id, from_id, to_id, from_agorot, to_agorot, from_ils_agorot, to_ils_agorot, day, entry_id, reverses_id, created_by)
  values (company, (s->>'id')::uuid, old.from_id, old.to_id, -old.from_agorot, -old.to_agorot, -old.from_ils_agorot, -old.to_ils_agorot, on_day,
    case when old.entry_id is not null then (s->>'entryId')::uuid end, old.id, (s->>'by')::uuid);
  update documents d set open_agorot = d.open_agorot - old.from_ils_agorot, open_in_currency_agorot = d.open_in_currency_agorot - old.from_agorot, updated_at = now(),
    status = case when d.status = 'cancelled' then d.status else status_of(d.open_in_currency_agorot - old.from_agorot, -abs(d.total_agorot)) end
  where d.company_id = company and d.id = old.from_id;
  update documents d set open_agorot = d.open_agorot + old.to_ils_agorot, open_in_currency_agorot = d.open_in_currency_agorot + old.to_agorot, updated_at = now(),
    status = case when d.status = 'cancelled' then d.status else status_of(d.open_in_currency_agorot + old.to_agorot, abs(d.total_agorot)) end
  where d.company_id = company and d.id = old.to_id;
end $$;

-- The same of settlements that were made before, but where it would move them out of a period whose VAT was reported by them.
alter table settlements disable trigger settlements_frozen;
update settlements s set day = greatest(s.day, f.day, t.day)
from documents f, documents t
where f.company_id = s.company_id and f.id = s.from_id and t.company_id = s.company_id and t.id = s.to_id
  and s.day < greatest(f.day, t.day)
  and not exists (select 1 from vat_filings v where v.company_id = s.company_id and v.reopened_at is null
    and s.day between v.from_day and v.to_day and greatest(f.day, t.day) > v.to_day);
alter table settlements enable trigger settlements_frozen;

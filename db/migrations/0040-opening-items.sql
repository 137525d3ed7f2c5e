-- What customers and suppliers owed before the books began here comes in paper by paper, so that it grows old, is paid and is told to them like any
-- other debt. It is no paper of this business: no number of its series, no income, no VAT, and the only entry is that of the opening.

create table opening_items (
  company_id uuid not null references companies,
  id uuid not null,
  role text not null check (role in ('customer', 'supplier')),
  party_id uuid not null,
  -- As it stands on the paper of the time.
  number text not null check (length(number) between 1 and 40),
  day date not null,
  due_day date,
  -- What is still owed, in its currency: to us by a customer, by us to a supplier. Negative: money or a credit that waits for a debt.
  amount_agorot bigint not null check (amount_agorot <> 0),
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  -- Shekels for one unit, as the books before had it.
  rate numeric(18, 4) not null default 1 check (rate > 0),
  -- Where it came to stand, and the opening that brought it there.
  batch_id uuid,
  document_id uuid,
  expense_id uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id),
  foreign key (company_id, batch_id) references journal_batches (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id),
  foreign key (company_id, expense_id) references expenses (company_id, id),
  check (currency <> 'ILS' or rate = 1),
  check ((batch_id is null) = (document_id is null and expense_id is null))
);
-- One paper owes once.
create unique index opening_items_once on opening_items (company_id, role, party_id, number) where archived_at is null;
create index opening_items_of_batch on opening_items (company_id, batch_id);
select secure_table('opening_items', 'select, insert, update');
create policy own_customers on opening_items as restrictive to pinkas_own using (false);

-- What the other books say all customers owe, and all suppliers are owed: what the items are held against. Null: whatever the items come to.
alter table journal_batches
  add column opening_day date,
  add column opening_customers_agorot bigint,
  add column opening_suppliers_agorot bigint;

alter table expenses drop constraint expenses_source_check;
alter table expenses add constraint expenses_source_check
  check (source in ('typed', 'phone', 'mail', 'upload', 'api', 'import', 'recurring', 'document', 'opening'));

-- Keeps what customers owed before as open items among the documents: of a series of its own, with nothing that could be income or VAT.
-- items = [{id, series, number, day, dueDay, currency, rate, language, customerId, customer, business, subject, agorot, ilsAgorot, pageKey, by, at}].
create function keep_opening_items(company uuid, items jsonb) returns void language plpgsql as $$
begin
  if exists (select 1 from jsonb_array_elements(items) p where p->>'series' not like 'receipt%#opening') then
    raise exception 'an opening item has a series of its own' using errcode = 'PK4B0';
  end if;
  insert into documents (company_id, id, type, series, number, status, day, due_day, currency, rate, language, customer_id, customer, business, subject,
    subtotal_agorot, total_agorot, ils_total_agorot, open_agorot, open_in_currency_agorot, by_hand, page_key, created_by, issued_by, issued_at)
  select company, (p->>'id')::uuid, 6, p->>'series', (p->>'number')::bigint, 'issued', (p->>'day')::date, (p->>'dueDay')::date, p->>'currency',
    (p->>'rate')::numeric, p->>'language', (p->>'customerId')::uuid, p->'customer', p->'business', p->>'subject',
    -(p->>'agorot')::bigint, -(p->>'agorot')::bigint, -(p->>'ilsAgorot')::bigint, (p->>'ilsAgorot')::bigint, (p->>'agorot')::bigint, true, p->>'pageKey',
    (p->>'by')::uuid, (p->>'by')::uuid, (p->>'at')::timestamptz
  from jsonb_array_elements(items) with ordinality as t (p, n) order by n;
end $$;

-- Documents: drafts may change; what is issued is frozen for ever, numbered without a gap, posted in the same statement.

-- One row per series of a business; the next number is taken under this row's lock and nowhere else.
create table number_series (
  company_id uuid not null references companies,
  series text not null,
  next_number bigint not null default 1 check (next_number > 0),
  -- Null until the first document: then the first number may still be chosen.
  last_day date,
  -- The last day before the newest number: how the statement that takes a number learns what stood there.
  previous_day date,
  primary key (company_id, series)
);
select secure_table('number_series', 'select, insert, update');

create table documents (
  company_id uuid not null references companies,
  id uuid not null,
  -- The numeric id the product's clients know (8 = tax invoice).
  type smallint not null check (type between 1 and 14),
  series text not null,
  number bigint,
  status text not null default 'draft' check (status in ('draft', 'issued', 'partlyClosed', 'closed', 'cancelled')),
  day date not null,
  due_day date,
  due_terms text not null default 'net:30',
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  -- Shekels for one unit of the currency.
  rate numeric(18, 6) not null default 1 check (rate > 0),
  rate_day date,
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  customer_id uuid,
  -- Names and addresses as they were when the document was issued.
  customer jsonb not null default '{}',
  business jsonb not null default '{}',
  subject text not null default '',
  notes text not null default '',
  notes_below text not null default '',
  notes_internal text not null default '',
  order_number text not null default '',
  discount_bp integer not null default 0 check (discount_bp between 0 and 10000),
  discount_sum_agorot bigint not null default 0,
  rounding text not null default 'none' check (rounding in ('none', 'whole', 'half')),
  zero_rate boolean not null default false,
  vat_rate_bp integer not null default 0 check (vat_rate_bp between 0 and 10000),
  -- In the document's currency.
  subtotal_agorot bigint not null default 0,
  discount_agorot bigint not null default 0,
  net_taxable_agorot bigint not null default 0,
  net_exempt_agorot bigint not null default 0,
  net_zero_agorot bigint not null default 0,
  vat_agorot bigint not null default 0,
  rounding_agorot bigint not null default 0,
  total_agorot bigint not null default 0,
  -- In shekels, as they stand in the books.
  ils_net_agorot bigint not null default 0,
  ils_vat_agorot bigint not null default 0,
  ils_total_agorot bigint not null default 0,
  -- The part of ils_net that carries no VAT (exempt and zero rate): the VAT return asks for it without reading the lines.
  ils_untaxed_agorot bigint not null default 0,
  -- What is still to be paid, in shekels; negative for a credit not yet used.
  open_agorot bigint not null default 0,
  source_id uuid,
  cancelled_by_id uuid,
  reason text not null default '',
  page_key text not null unique,
  allocation_state text not null default 'notNeeded' check (allocation_state in ('notNeeded', 'waiting', 'granted', 'refused', 'away', 'manual')),
  allocation_number text,
  sent_at timestamptz,
  viewed_at timestamptz,
  client_key text,
  created_by uuid,
  issued_by uuid,
  issued_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, series, number),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, source_id) references documents (company_id, id),
  foreign key (company_id, cancelled_by_id) references documents (company_id, id),
  check ((status = 'draft') = (number is null)),
  check (status = 'draft' or (issued_at is not null and total_agorot = net_taxable_agorot + net_exempt_agorot + net_zero_agorot + vat_agorot + rounding_agorot)),
  check ((allocation_state in ('granted', 'manual')) = (allocation_number is not null))
);
create index documents_list on documents (company_id, day desc, id desc);
create index documents_by_type on documents (company_id, type, day desc, id desc) include (status, total_agorot);
create index documents_of_customer on documents (company_id, customer_id, day desc) include (number, type, status);
create index documents_open on documents (company_id, customer_id, due_day) include (open_agorot) where open_agorot <> 0;
create index documents_vat on documents (company_id, day) include (type, ils_net_agorot, ils_vat_agorot, ils_untaxed_agorot) where status <> 'draft';
create index documents_number on documents (company_id, number) where number is not null;
create unique index documents_client_key on documents (company_id, client_key) where client_key is not null;
-- A document is credited whole at most once.
create unique index documents_cancelled_once on documents (company_id, cancelled_by_id) where cancelled_by_id is not null;
select secure_table('documents', 'select, insert, update, delete');

create table document_lines (
  company_id uuid not null,
  document_id uuid not null,
  line smallint not null check (line > 0),
  item_id uuid,
  sku text not null default '',
  description text not null,
  details text not null default '',
  quantity numeric(18, 4) not null,
  unit text not null default '',
  unit_price numeric(18, 4) not null,
  discount_bp integer not null default 0 check (discount_bp between 0 and 10000),
  vat_kind smallint not null check (vat_kind in (1, 2, 3, 4)),
  vat_class text not null default 'standard' check (vat_class in ('standard', 'exempt', 'zero')),
  amount_agorot bigint not null default 0,
  discount_share_agorot bigint not null default 0,
  net_agorot bigint not null default 0,
  vat_agorot bigint not null default 0,
  total_agorot bigint not null default 0,
  ils_net_agorot bigint not null default 0,
  account_id uuid,
  primary key (company_id, document_id, line),
  foreign key (company_id, document_id) references documents (company_id, id) on delete cascade,
  foreign key (company_id, item_id) references items (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id)
);
create index document_lines_of_item on document_lines (company_id, item_id) where item_id is not null;
select secure_table('document_lines', 'select, insert, update, delete');

alter table entries add foreign key (company_id, document_id) references documents (company_id, id);

-- The sealed files exactly as they were given out: a second download is byte for byte the first.
create table document_papers (
  company_id uuid not null,
  document_id uuid not null,
  variant text not null check (variant in ('original', 'copy', 'certified', 'thermal')),
  -- Compressed; the hash is of what is inside.
  gzip bytea not null,
  sha256 bytea not null,
  created_at timestamptz not null default now(),
  primary key (company_id, document_id, variant),
  foreign key (company_id, document_id) references documents (company_id, id)
);
select secure_table('document_papers', 'select, insert');
create trigger papers_frozen before update or delete on document_papers for each row execute function refuse_change();

-- What may still change on an issued document is its fate, never its content.
create function guard_document() returns trigger language plpgsql as $$
declare
  fate constant text[] := array['status', 'open_agorot', 'cancelled_by_id', 'allocation_state', 'allocation_number', 'sent_at', 'viewed_at', 'updated_at', 'due_day'];
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
  return new;
end $$;
create trigger documents_guard before update or delete on documents for each row execute function guard_document();

create function guard_line() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and discards_demo(old.company_id) then return old; end if;
  if exists (select 1 from documents d where d.company_id = old.company_id and d.id = old.document_id and d.status <> 'draft') then
    raise exception 'the lines of an issued document are never changed' using errcode = 'PK001';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger lines_guard before update or delete on document_lines for each row execute function guard_line();

create function guard_new_line() returns trigger language plpgsql as $$
begin
  if current_setting('pinkas.issuing', true) is distinct from new.document_id::text
     and exists (select 1 from documents d where d.company_id = new.company_id and d.id = new.document_id and d.status <> 'draft') then
    raise exception 'an issued document gets no more lines' using errcode = 'PK001';
  end if;
  return new;
end $$;
create trigger lines_guard_new before insert on document_lines for each row execute function guard_new_line();

-- The whole of issuing in one round trip: number, document, lines, entry, roll-ups, outbox.
-- d = columns of documents, lines = columns of document_lines, e = see post_entry or null,
-- jobs = [{id, name, payload, delaySeconds?}], rules = {first, allowEarlier, carriesVat},
-- audit = {id, userId, address, after}.
-- Errors: PK003 closed period, PK004 earlier than the last of its series.
create function issue_document(company uuid, d jsonb, lines jsonb, e jsonb, jobs jsonb, rules jsonb, audit jsonb) returns bigint language plpgsql as $$
declare
  given bigint;
  last date;
  doc uuid := (d->>'id')::uuid;
  on_day date := (d->>'day')::date;
  kept documents;
begin
  perform set_config('pinkas.issuing', doc::text, true);
  if exists (select 1 from locked_periods p where p.company_id = company and p.reopened_at is null and on_day between p.from_day and p.to_day
             and (p.kind <> 'vat' or (rules->>'carriesVat')::boolean)) then
    raise exception 'the period of % is closed', on_day using errcode = 'PK003';
  end if;
  delete from document_lines l where l.company_id = company and l.document_id = doc
    and exists (select 1 from documents x where x.company_id = company and x.id = doc and x.status = 'draft');
  delete from documents x where x.company_id = company and x.id = doc and x.status = 'draft';

  insert into number_series as s (company_id, series, next_number, last_day)
  values (company, d->>'series', (rules->>'first')::bigint + 1, on_day)
  on conflict (company_id, series)
  do update set next_number = s.next_number + 1, previous_day = s.last_day, last_day = greatest(s.last_day, excluded.last_day)
  returning next_number - 1, previous_day into given, last;
  if last > on_day and not (rules->>'allowEarlier')::boolean then
    raise exception '%', last using errcode = 'PK004';
  end if;

  kept := jsonb_populate_record(null::documents, jsonb_build_object('created_at', now()) || d || jsonb_build_object('company_id', company, 'number', given, 'issued_at', now(), 'updated_at', now()));
  insert into documents select kept.*;
  insert into document_lines
  select r.* from jsonb_array_elements(lines) l,
    lateral jsonb_populate_record(null::document_lines, l || jsonb_build_object('company_id', company, 'document_id', doc)) r;
  if e is not null then
    perform post_entry(company, e || jsonb_build_object('reference', given::text));
  end if;
  insert into outbox (id, company_id, name, payload, run_after)
  select (j->>'id')::uuid, company, j->>'name', j->'payload', now() + make_interval(secs => coalesce((j->>'delaySeconds')::int, 0)) from jsonb_array_elements(jobs) j;
  insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
  values (company, (audit->>'id')::uuid, (audit->>'userId')::uuid, audit->>'address', 'documents.issue', 'documents', doc, audit->'after' || jsonb_build_object('number', given));
  return given;
end $$;

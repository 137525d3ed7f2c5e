-- Donations Israel (section 46): from 2026 every receipt for a donation, and its cancellation, is reported and carries a reporting number.

alter table authority_links drop constraint authority_links_service_check;
alter table authority_links add constraint authority_links_service_check check (service in ('invoices', 'donations'));

alter table documents add column donation_number text check (donation_number ~ '^[0-9A-Za-z-]{4,30}$');

-- The reporting number comes after the receipt is issued, as an allocation number does.
create or replace function guard_document() returns trigger language plpgsql as $$
declare
  fate constant text[] := array['status', 'open_agorot', 'open_in_currency_agorot', 'asked_agorot', 'credited_agorot', 'cancelled_by_id', 'allocation_state', 'allocation_number',
    'sent_at', 'viewed_at', 'updated_at', 'due_day', 'reason', 'donation_number'];
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
  -- A reporting number is given once.
  if old.donation_number is not null and new.donation_number is distinct from old.donation_number then
    raise exception 'an issued document is never changed' using errcode = 'PK001';
  end if;
  return new;
end $$;

create table donation_reports (
  company_id uuid not null,
  document_id uuid not null,
  -- What it takes back, when it is a cancellation.
  cancels_id uuid,
  state text not null default 'waiting' check (state in ('waiting', 'granted', 'refused', 'away', 'notNeeded')),
  -- Without the giver's number: reported, but gives him no credit.
  anonymous boolean not null default false,
  tries integer not null default 0 check (tries >= 0),
  asked_at timestamptz,
  next_at timestamptz,
  -- Why there is no number: notConnected, ended, off, away, first (the donation it cancels has none yet), or the authority's code.
  reason text not null default '' check (length(reason) <= 40),
  message text not null default '' check (length(message) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, document_id),
  foreign key (company_id, document_id) references documents (company_id, id),
  foreign key (company_id, cancels_id) references documents (company_id, id)
);
create index donation_reports_open on donation_reports (company_id, state) where state in ('waiting', 'away', 'refused');
select secure_table('donation_reports', 'select, insert, update');
create policy own_customers on donation_reports as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = donation_reports.company_id and d.id = donation_reports.document_id));

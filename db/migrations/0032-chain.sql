-- Tamper-evidence: every issued document and every entry joins one chain of hashes per business, so that a later change by whoever owns the
-- database shows. Joining waits for a moment outside the transaction that issues: one head per business would make everybody wait for everybody.

create table chain_waiting (
  company_id uuid not null references companies,
  kind text not null check (kind in ('document', 'entry')),
  record_id uuid not null,
  -- The moment of the statement and not of its transaction: records of one transaction keep their order.
  at timestamptz not null default clock_timestamp(),
  primary key (company_id, kind, record_id)
);
select secure_table('chain_waiting', 'select');

create table chain_links (
  company_id uuid not null references companies,
  seq bigint not null check (seq > 0),
  kind text not null check (kind in ('document', 'entry')),
  record_id uuid not null,
  -- Which form of the record was hashed: columns that come later make a new form and leave the old links as they are.
  form smallint not null,
  digest bytea not null check (octet_length(digest) = 32),
  -- sha256 of the link before, the place, the kind, the record and its digest.
  link bytea not null check (octet_length(link) = 32),
  at timestamptz not null default now(),
  primary key (company_id, seq),
  unique (company_id, kind, record_id)
);
create index chain_links_by_time on chain_links (company_id, at);
select secure_table('chain_links', 'select');
create trigger chain_frozen before update or delete on chain_links for each row execute function refuse_change();

-- Whoever holds this row adds links.
create table chain_heads (
  company_id uuid primary key references companies,
  seq bigint not null default 0,
  link bytea not null default '\x0000000000000000000000000000000000000000000000000000000000000000',
  checked_at timestamptz,
  checked_seq bigint,
  broken_seq bigint
);
select secure_table('chain_heads', 'select');

-- As the owner: the application's role may not put anything into the chain by itself, nor take it out.
create function wait_for_chain() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into chain_waiting (company_id, kind, record_id) values (new.company_id, tg_argv[0], new.id);
  return null;
end $$;
create trigger documents_join after insert on documents for each row when (new.status <> 'draft') execute function wait_for_chain('document');
create trigger entries_join after insert on entries for each row execute function wait_for_chain('entry');

-- What was issued before there was a chain joins it in the order in which it came.
insert into chain_waiting (company_id, kind, record_id, at)
select company_id, 'document', id, issued_at from documents where status <> 'draft'
union all select company_id, 'entry', id, created_at from entries;

-- A paper that a signer takes away to sign by a program of his own: the very bytes he was given, which what he hands back must begin with.
create table sign_handouts (
  company_id uuid not null,
  signer_id uuid not null,
  -- The revision it stands behind: when somebody signed meanwhile it is not the paper any more.
  base_no integer not null,
  bytes bytea not null,
  values jsonb not null,
  shown text not null check (shown in ('he', 'en', 'ar', 'ru', 'fr')),
  seconds integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (company_id, signer_id),
  foreign key (company_id, signer_id) references sign_signers (company_id, id)
);
select secure_table('sign_handouts', 'select, insert, update, delete');
create policy own_customers on sign_handouts as restrictive to pinkas_own
  using (exists (select 1 from sign_signers s where s.company_id = sign_handouts.company_id and s.id = sign_handouts.signer_id));

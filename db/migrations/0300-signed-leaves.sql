-- Leaves that are signed on a phone: a debit mandate, a declaration of health and the consent to computerised documents each name the paper they were signed on.

-- What was asked of a customer when his mandate went out to be signed; it comes into force when he has.
create table mandate_papers (
  company_id uuid not null references companies,
  request_id uuid not null,
  party_id uuid not null,
  reference text not null check (reference ~ '^\d{1,20}$'),
  ceiling_agorot bigint check (ceiling_agorot > 0),
  lodged_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, request_id),
  foreign key (company_id, request_id) references sign_requests (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id)
);
select secure_table('mandate_papers', 'select, insert, update');
create policy own_customers on mandate_papers as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = mandate_papers.company_id and p.id = mandate_papers.party_id));

alter table debit_mandates add column sign_request_id uuid;
alter table debit_mandates add foreign key (company_id, sign_request_id) references sign_requests (company_id, id);

-- Declarations that were signed before by a typed name or on paper stay as they are, without one.
alter table health_forms add column sign_request_id uuid;
alter table health_forms add foreign key (company_id, sign_request_id) references sign_requests (company_id, id);
-- A signed paper is one declaration, however often what follows from it is done; a doctor's letter brought later is another line of the same paper.
create unique index health_forms_once on health_forms (company_id, sign_request_id) where sign_request_id is not null and letter_until is null;

alter table parties add column consent_request_id uuid;
alter table parties drop constraint parties_consent_how_check;
alter table parties add constraint parties_consent_how_check check (consent_how in ('paper', 'mail', 'phone', 'registered', 'signed'));

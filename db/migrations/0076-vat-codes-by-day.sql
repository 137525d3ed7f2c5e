-- The law changes what of a VAT code may be deducted, and at what rate: what was typed before stays right when it is worked out anew, so a rate and a
-- share hold from their day on. The one rate of its own that a code had until now becomes the first of them.

create table vat_code_terms (
  company_id uuid not null references companies,
  id uuid not null,
  vat_code_id uuid not null,
  from_day date not null,
  -- Null: the rate of law of the day.
  rate_bp integer check (rate_bp between 0 and 10000),
  vat_share text not null default 'full' check (vat_share in ('full', 'twoThirds', 'quarter', 'none')),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, vat_code_id) references vat_codes (company_id, id)
);
create unique index vat_code_terms_by_day on vat_code_terms (company_id, vat_code_id, from_day) where archived_at is null;
select secure_table('vat_code_terms', 'select, insert, update');

insert into vat_code_terms (company_id, id, vat_code_id, from_day, rate_bp, vat_share)
  select company_id, gen_random_uuid(), id, rate_from, rate_bp, vat_share from vat_codes where rate_from is not null;
alter table vat_codes drop column rate_bp, drop column rate_from;

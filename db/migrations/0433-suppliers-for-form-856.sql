-- What the yearly return of tax withheld says of a payee beside his number and address: what he does for a living, which office assesses him, and whether he lives in the Palestinian Authority.
alter table parties
  add column occupation text check (length(occupation) <= 60),
  add column assessing_office text check (length(assessing_office) <= 40),
  add column is_pa_resident boolean not null default false;

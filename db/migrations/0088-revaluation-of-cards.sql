-- Not only bank accounts are kept in another currency: a loan, a deposit, an advance is too, and is revalued on its own card.

alter table revaluation_lines drop constraint revaluation_lines_what_check;
alter table revaluation_lines add constraint revaluation_lines_what_check check (what in ('customers', 'suppliers', 'bank', 'card'));

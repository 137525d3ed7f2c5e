-- A line of the bank is a tenant's payment once, whoever enters it twice.
alter table committee_payments add column bank_line_id uuid, add foreign key (company_id, bank_line_id) references bank_lines (company_id, id);
create unique index committee_payments_of_line on committee_payments (company_id, bank_line_id) where bank_line_id is not null and cancelled_at is null;

-- A card that is kept again may be known by the token it had, also at another customer: what one card is charged by is never forgotten at the
-- acquirer for another's sake. Tokens are sealed, each time otherwise; this is what two of the same are known by.
alter table cards add column token_mark bytea check (length(token_mark) = 32);
create index cards_by_token on cards (company_id, token_mark) where token_mark is not null;
-- Those from before get theirs when one of their business is forgotten.
create index cards_unmarked on cards (company_id, id) where token_mark is null and secret_sealed is not null;

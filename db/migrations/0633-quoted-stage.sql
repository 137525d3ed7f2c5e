-- A lead whose quote is sent moves to the stage that says so; a business marks the stage. The usual stages are made with
-- it, and those that exist are known by the colour they were made with.
alter table lead_stages add column on_quote boolean not null default false;
update lead_stages set on_quote = true where outcome = 'open' and color = '#b07a35';

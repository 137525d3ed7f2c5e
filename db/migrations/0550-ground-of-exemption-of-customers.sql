-- The ground of exemption is kept for a customer, as that of zero rate is: a dwelling is let to the same tenant each month.
alter table parties add column exempt_ground text check (exempt_ground ~ '^[a-zA-Z]{1,40}$');

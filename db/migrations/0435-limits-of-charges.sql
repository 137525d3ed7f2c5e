-- Whoever may charge saved cards may be bound to a sum for one charge, as those who give money back are (0418).
alter table memberships add column charge_limit_agorot bigint check (charge_limit_agorot > 0);
alter table invitations add column charge_limit_agorot bigint check (charge_limit_agorot > 0);
grant update (charge_limit_agorot) on memberships to pinkas_app;

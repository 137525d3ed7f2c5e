-- Whoever may give money back to cards may be bound to a sum for one charge; without one he is not bound. It goes with the invitation, and nobody is bound
-- less than whoever invited or changed him.
alter table memberships add column refund_limit_agorot bigint check (refund_limit_agorot > 0);
alter table invitations add column refund_limit_agorot bigint check (refund_limit_agorot > 0);
grant update (refund_limit_agorot) on memberships to pinkas_app;

-- Exchange rates get a right of their own, which API keys may have, too. People who may change the details of the
-- business keep it.
alter table memberships disable trigger user;
alter table invitations disable trigger user;
alter table permission_sets disable trigger user;
update memberships set rules = rules || 26 where 81 = any (rules) and not 26 = any (rules) and rules[1] <> -1;
update invitations set rules = rules || 26 where 81 = any (rules) and not 26 = any (rules) and rules[1] <> -1;
update permission_sets set rules = rules || 26 where 81 = any (rules) and not 26 = any (rules) and rules[1] <> -1;
alter table memberships enable trigger user;
alter table invitations enable trigger user;
alter table permission_sets enable trigger user;

-- What others earn and the file for payroll hang on a right of their own. Whoever saw wages and signed sheets, or set them as terms of work, still sees them;
-- whoever was only shown the team's hours does not.
alter table memberships disable trigger user;
alter table invitations disable trigger user;
alter table permission_sets disable trigger user;
alter table api_keys disable trigger user;
update memberships set rules = rules || 310 where rules && '{263,265}' and not hide_total_prices and not 310 = any (rules) and rules[1] <> -1;
update invitations set rules = rules || 310 where rules && '{263,265}' and not hide_total_prices and not 310 = any (rules) and rules[1] <> -1;
update permission_sets set rules = rules || 310 where rules && '{263,265}' and not hide_total_prices and not 310 = any (rules) and rules[1] <> -1;
update api_keys set rules = rules || 310 where rules && '{263,265}' and not 310 = any (rules) and rules[1] <> -1;
alter table memberships enable trigger user;
alter table invitations enable trigger user;
alter table permission_sets enable trigger user;
alter table api_keys enable trigger user;

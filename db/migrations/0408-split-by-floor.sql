-- A house may split by floor: what a flat of each floor bears beside a whole part, which is 100. A house without a lift asks the ground floor for less.
alter table committee_rates drop constraint committee_rates_rule_check, add constraint committee_rates_rule_check check (rule in ('equal', 'area', 'share', 'own', 'floor'));
alter table committee_levies drop constraint committee_levies_rule_check, add constraint committee_levies_rule_check check (rule in ('equal', 'area', 'share', 'own', 'floor'));
create table committee_floors (
  company_id uuid not null references companies,
  building_id uuid not null,
  floor integer not null check (floor between -20 and 200),
  weight integer not null check (weight between 0 and 10000),
  primary key (company_id, building_id, floor),
  foreign key (company_id, building_id) references committee_buildings (company_id, id)
);
select secure_table('committee_floors', 'select, insert, update, delete');

-- A house reminds who owes by itself, as often as its committee set; the row says when the next letters go.
alter table committee_buildings
  add column remind_every text check (remind_every in ('week', 'fortnight', 'month')),
  -- The first day that was set: months are counted from it, so that the 31st stays the 31st.
  add column remind_from date,
  add column remind_on date,
  add constraint committee_buildings_remind_whole check (num_nulls(remind_every, remind_from, remind_on) in (0, 3));
create index committee_buildings_to_remind on committee_buildings (remind_on) where remind_on is not null;

-- Whoever cancels late or does not come so many times in thirty days books at the desk alone; null: however often.
alter table class_kinds add column strikes smallint check (strikes between 1 and 20);

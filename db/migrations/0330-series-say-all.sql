-- What is made of a series later is like what was made of it first: its name, its notes and its price are the series' own, not the kind's.
alter table class_series add column title text not null default '' check (length(title) <= 120),
  add column notes text not null default '' check (length(notes) <= 2000),
  add column price_agorot bigint not null default 0 check (price_agorot between 0 and 10000000);
update class_series s set price_agorot = k.price_agorot from class_kinds k where k.company_id = s.company_id and k.id = s.kind_id;
update class_series s set title = c.title, notes = c.notes, price_agorot = c.price_agorot
  from (select distinct on (company_id, series_id) * from classes where series_id is not null and not is_own order by company_id, series_id, series_day) c
  where c.company_id = s.company_id and c.series_id = s.id;

-- From which sum an invoice needs an allocation number, as the tax authority itself answers: asked once a day, one row for each day it was asked on. A day
-- without a sum is one on which nobody answered yet.
create table told_thresholds (
  day date primary key,
  threshold_agorot bigint check (threshold_agorot > 0),
  asked_at timestamptz not null
);
grant select on told_thresholds to pinkas_app;

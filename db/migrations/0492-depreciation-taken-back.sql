-- When the bill of an asset is cancelled, its depreciation is reversed with it: a run of its own, beside those of periods.
alter table depreciation_runs drop constraint depreciation_runs_kind_check;
alter table depreciation_runs add constraint depreciation_runs_kind_check check (kind in ('period', 'disposal', 'takenBack'));

-- A business may require a second factor of all its people; null where it does not. API keys are not affected.
alter table companies add column factor_required_at timestamptz;

-- Closing a month or a year says who closed it and what he was told before; opening it again says why, and neither is ever rewritten.

alter table locked_periods
  add column checks jsonb not null default '[]',
  add column note text not null default '' check (length(note) <= 300),
  add column reopen_reason text not null default '' check (length(reopen_reason) <= 300);
create index locked_periods_by_day on locked_periods (company_id, kind, from_day desc);

create function locked_period_frozen() returns trigger language plpgsql as $$
declare
  fate constant text[] := array['reopened_at', 'reopened_by', 'reopen_reason'];
begin
  if tg_op = 'DELETE' then
    if discards_demo(old.company_id) then return old; end if;
    raise exception 'a lock is opened, never deleted' using errcode = 'PK270';
  end if;
  if (to_jsonb(new) - fate) is distinct from (to_jsonb(old) - fate) or old.reopened_at is not null then
    raise exception 'a lock is opened once and never changed' using errcode = 'PK270';
  end if;
  return new;
end $$;
create trigger locked_period_frozen before update or delete on locked_periods for each row execute function locked_period_frozen();

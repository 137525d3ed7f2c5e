-- A domain that proved itself may stop to: it is asked again by itself, and goes out of use only after a while in which its dealer was told.
alter table brands
  -- When it was asked last, and when it is to be asked next; null where nothing of it was ever proved, or nobody looked after it for long.
  add column asked_at timestamptz,
  add column ask_next timestamptz,
  -- Proved, but not seen since; and since when what was proved once is out of use.
  add column site_lost_at timestamptz check (site_lost_at is null or site_proved_at is not null),
  add column site_ended_at timestamptz check (site_ended_at is null or site_proved_at is null),
  add column mail_lost_at timestamptz check (mail_lost_at is null or mail_proved_at is not null),
  add column mail_ended_at timestamptz check (mail_ended_at is null or mail_proved_at is null);
update brands set ask_next = now() where site_proved_at is not null or mail_proved_at is not null;

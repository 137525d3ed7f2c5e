-- A letter to one of the business's people may carry a way in: it is opened within a week, and then, as any, within a minute and once.
alter table auto_logins
  drop constraint auto_logins_made_in_check,
  add constraint auto_logins_made_in_check check (made_in in ('person', 'office', 'dealer', 'mail')),
  -- When the page behind a letter's link was first opened; the minute runs from then.
  add column opened_at timestamptz;

-- A link made for the application on a phone is told apart from one for a browser.
alter table auto_logins
  drop constraint auto_logins_made_in_check,
  add constraint auto_logins_made_in_check check (made_in in ('person', 'app', 'office', 'dealer', 'mail'));

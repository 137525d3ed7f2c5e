-- The menu shows what a business uses. A business from before is shown once what left its menu, and may have it all back.
alter table companies add column menu_told boolean not null default false;
alter table companies alter column menu_told set default true;

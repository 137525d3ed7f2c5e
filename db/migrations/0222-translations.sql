-- Words as translators propose them, of the whole installation and of no business: the text they saw stands beside the one they wrote, so that a source
-- that changed since marks the proposal as stale. Words of a white label are its own and never touch the product's.
create table translation_proposals (
  -- The white label whose own word it is; empty: the product's.
  domain text not null default '' check (domain = lower(domain) and length(domain) <= 253),
  language text not null check (language in ('he', 'ar', 'en', 'ru', 'fr')),
  key text not null check (length(key) <= 200),
  text text not null check (length(text) between 1 and 4000),
  -- What stood there when it was written, in this language and in Hebrew, the source of all others.
  was text not null default '' check (length(was) <= 4000),
  source text not null default '' check (length(source) <= 4000),
  by_user uuid not null references users,
  at timestamptz not null default now(),
  primary key (domain, language, key)
);

-- The words as this installation knew them last, for what changed since a day.
create table translation_texts (
  language text not null check (language in ('he', 'ar', 'en', 'ru', 'fr')),
  key text not null check (length(key) <= 200),
  text text not null,
  changed_at timestamptz not null,
  primary key (language, key)
);
create table translation_mark (
  one boolean primary key default true check (one),
  -- Of all words together: nothing is written while it stays.
  mark text not null check (length(mark) = 64)
);

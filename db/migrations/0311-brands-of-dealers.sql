-- A partner's brand is more than a name: its colours, its sender, whom to ask, what is sold under it, and whose it is.
alter table brands
  add column accent text not null default '' check (accent ~ '^(#[0-9a-f]{6})?$'),
  -- Letters of its businesses go out from here; the installation's own address where it is empty.
  add column mail_name text not null default '' check (length(mail_name) <= 120),
  add column mail_from text not null default '' check (mail_from = '' or mail_from like '%_@_%'),
  add column support_email text not null default '' check (support_email = '' or support_email like '%_@_%'),
  -- The operator's pages of subscription that are offered under it; all that belong to no brand where there are none.
  add column page_ids uuid[] not null default '{}' check (cardinality(page_ids) <= 50),
  -- The affiliate whose brand it is, and the link by which whoever signs up under it is his.
  add column dealer_company uuid references companies,
  add column link_code text references affiliate_links (code);
grant select on brands to pinkas_app;

-- Under which brand a business signed up; its letters and papers bear that name.
alter table companies add column brand text references brands (domain);

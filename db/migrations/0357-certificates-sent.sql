-- A certificate is sent: by mail as it is, by WhatsApp as a link that only its receiver knows.
alter table pest_certificates add column page_key text not null unique
  default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');

-- What an address answered last stands beside when something arrived last, so that a list says which of them are in trouble without reading their logs.
alter table webhook_endpoints add column last_status_code smallint;
update webhook_endpoints e set last_status_code = (select t.status_code from webhook_tries t
  where t.company_id = e.company_id and t.endpoint_id = e.id order by t.at desc limit 1);

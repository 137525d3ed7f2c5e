-- Keys for programs need no paid module any more: whoever had it pays nothing further, and what he had stays as history.
update company_modules set ends_on = greatest(since, current_date) where plugin_id = 1 and (ends_on is null or ends_on > current_date);

-- A phone is found however it is written: beside its digits as they were typed is the number as it is dialled in Israel.
create function fold_phones() returns trigger language plpgsql set search_path = public as $$
declare
  key text;
begin
  foreach key in array array[phone_key(new.phone), phone_key(new.mobile)] loop
    if length(key) >= 6 and position(key in new.folded) = 0 then new.folded := new.folded || ' ' || key; end if;
  end loop;
  return new;
end $$;
create trigger parties_fold_phones before insert or update of folded on parties for each row execute function fold_phones();
update parties set folded = folded where phone is not null or mobile is not null;
-- Leads are folded by the application.
update leads set folded = folded || ' ' || public.phone_key(phone) where length(public.phone_key(phone)) >= 6 and position(public.phone_key(phone) in folded) = 0;

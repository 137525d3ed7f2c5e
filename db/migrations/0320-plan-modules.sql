-- A subscription begun by a page may be changed later: what it is made of from its next charge on. While nobody changed it, it is what was bought.
alter table pay_purchases add column lines_now jsonb check (lines_now is null or jsonb_typeof(lines_now) = 'array');

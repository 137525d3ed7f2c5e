-- An asset that came with less worn than its line says wears on after the line's end until its whole cost is gone: what it lost is counted from its
-- opening, and the cost is the only end.

create or replace function asset_worn(cost bigint, rate_bp integer, start_day date, opening_day date, opening_worn bigint, disposed_day date, until date)
  returns bigint language sql immutable parallel safe as $$
  select case when opening_day is null then least(cost, line) when last < opening_day then least(cost, line, opening_worn)
    else least(cost, opening_worn + line - round(cost::numeric * rate_bp * year_parts(start_day, opening_day) / (10000 * 133590.0))) end::bigint
  from (select last, round(cost::numeric * rate_bp * year_parts(start_day, last) / (10000 * 133590.0)) as line
    from (select least(until, disposed_day - 1) as last) d) w $$;

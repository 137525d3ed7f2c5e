-- Advances of income tax are paid on the turnover of the business, and not all income is turnover: gains from selling assets, interest and
-- differences of exchange are none. Each account of income says of itself whether it stays out; until now the program knew two by heart.

alter table accounts add column outside_turnover boolean not null default false;
update accounts set outside_turnover = true
  where kind = 'income' and (number = '8910' or key in ('capitalGain', 'otherIncome', 'grants', 'exchangeDifferences')
    or code6111 ~ '^5\d{3}$');

-- A discount of a line may be a sum as well as a percentage: it lessens the line by so much, never by more than the line itself comes to, on the
-- footing of its price. A line has one of the two.
alter table document_lines
  add column discount_sum_agorot bigint not null default 0 check (discount_sum_agorot >= 0),
  add check (discount_bp = 0 or discount_sum_agorot = 0);

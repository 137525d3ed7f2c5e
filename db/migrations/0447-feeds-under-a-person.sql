-- The address of a calendar of classes works with the rights of the person who made it, and ends when that person left or lost the right. A customer's own
-- address is nobody's in the business.
alter table class_feeds add column created_by uuid references users;
update class_feeds f set created_by = coalesce(
  (select t.user_id from class_trainers t where t.company_id = f.company_id and t.id = f.trainer_id),
  (select a.user_id from audit_log a join users u on u.id = a.user_id where a.company_id = f.company_id and a.action = 'classes.feed'
    and (a.after ->> 'trainerId')::uuid is not distinct from f.trainer_id and (a.after ->> 'placeId')::uuid is not distinct from f.place_id
    order by a.at desc limit 1),
  (select m.user_id from memberships m where m.company_id = f.company_id and m.type_id = 4 and m.removed_at is null order by m.created_at limit 1))
where f.customer_id is null;

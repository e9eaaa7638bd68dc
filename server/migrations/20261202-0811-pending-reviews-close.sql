-- An exception about a payment that is pending for too long asks staff where the money is. It closes by itself, without a person, once
-- its order ends. The version before leaves it to staff.
-- Running processes lock an order before its exception: the other way round, one of them and this migration would wait for each other.
lock table deposit_orders, payment_cases in access exclusive mode;
alter table payment_cases drop constraint closed_by_somebody;
alter table payment_cases add constraint closed_by_somebody check ((state = 'closed') =
  (decided_at is not null and (decided_by is not null or why = 'pending_too_long'))) not valid;
alter table payment_cases validate constraint closed_by_somebody;

alter table payment_cases no force row level security;
alter table deposit_orders no force row level security;
update payment_cases as asked
  set state = 'closed', decision = 'explained', note = 'The order is ' || ended.state || '.', outside_reference = null,
    proposed_by = null, decided_at = now()
  from deposit_orders as ended
  where asked.why = 'pending_too_long' and asked.state <> 'closed' and ended.workspace_id = asked.workspace_id
    and ended.order_id = asked.order_id and ended.state in ('paid', 'declined', 'cancelled', 'expired');
alter table deposit_orders force row level security;
alter table payment_cases force row level security;

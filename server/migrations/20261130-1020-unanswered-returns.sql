-- Since when a message about a paid payout, which may have come back, waits for the provider's answer; null if none does. Its next query
-- is due at next_look_at, like that of an open payout. The version before queries once and leaves it to ours.
alter table payout_orders add column return_reported_at timestamptz;
create index payout_orders_unanswered on payout_orders (workspace_id, next_look_at) where return_reported_at is not null;

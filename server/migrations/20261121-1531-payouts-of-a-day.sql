-- What a day is asked for: payouts that ended on it.
create index payout_orders_ended on payout_orders (workspace_id, ended_at) where state = 'paid';

-- What the desk sets of a payment provider beside its connection: how members read it, and in which order.
alter table payment_providers add column title text check (length(title) between 1 and 120);
alter table payment_providers add column position integer not null default 0;

-- When each secret was given, by its name; and the last call that failed, so that staff see how a provider stands.
alter table payment_provider_connections add column secrets_set_at jsonb not null default '{}';
alter table payment_provider_connections add column failed_at timestamptz;
alter table payment_provider_connections add column failure text;
alter table payment_provider_connections add column failure_detail text;

create index deposit_orders_of_provider on deposit_orders (workspace_id, provider_id, state);
create index payment_notifications_of_provider on payment_notifications (workspace_id, provider_id, notification_id desc);

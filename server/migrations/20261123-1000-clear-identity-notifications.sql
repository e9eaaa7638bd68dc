-- What an identity vendor sends says whose papers it is about. It is kept as it came for a while and then cleared, as what
-- payment providers send is; the check it was about is remembered, so that an erasure finds it.
alter table identity_notifications add column cleared_at timestamptz;
alter table identity_notifications add column check_id uuid;
create index if not exists identity_notifications_to_clear on identity_notifications (workspace_id, received_at)
  where cleared_at is null;
create index if not exists identity_notifications_check on identity_notifications (workspace_id, check_id)
  where check_id is not null;

-- Tries are kept one by one for as long as they count, so that no stretch of a window's length, wherever it begins, holds
-- more than its limit. Counters of a window that begins anew would let twice as many through around its end. What was
-- counted until now was for minutes only.
delete from rate_limits;
alter table rate_limits drop column window_start, drop column tries;
alter table rate_limits
  add column tried_at timestamptz[] not null check (cardinality(tried_at) <= 1000),
  -- When the last of them counts no more: the row is swept then.
  add column expires_at timestamptz not null;
create index rate_limits_expiry on rate_limits (workspace_id, expires_at);

-- Browsers that a person signed in with. Who guesses from elsewhere cannot use up the tries of the owner at home. Only the
-- hash of what the browser keeps is here, and it opens nothing: the password is asked for all the same.
create table known_devices (
  workspace_id uuid not null,
  device_id uuid not null,
  device_hash bytea not null check (length(device_hash) = 32),
  member_id uuid,
  staff_id uuid,
  last_used_at timestamptz not null,
  primary key (workspace_id, device_id),
  unique (workspace_id, device_hash, member_id),
  unique (workspace_id, device_hash, staff_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  check ((member_id is null) <> (staff_id is null))
);
create index known_devices_member on known_devices (workspace_id, member_id) where member_id is not null;
create index known_devices_staff on known_devices (workspace_id, staff_id) where staff_id is not null;
create index known_devices_use on known_devices (workspace_id, last_used_at);
select protect_table('known_devices', 'own');

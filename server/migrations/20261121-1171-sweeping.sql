-- What the sweeps look for, so that they read no more than they take.
create index sessions_open on sessions (workspace_id, last_seen_at) where ended_at is null;
create index sessions_ended on sessions (workspace_id, ended_at) where ended_at is not null;
create index password_resets_age on password_resets (workspace_id, created_at);
create index password_reset_requests_age on password_reset_requests (workspace_id, created_at);
create index mails_settled on mails (workspace_id, settled_at) where settled_at is not null;

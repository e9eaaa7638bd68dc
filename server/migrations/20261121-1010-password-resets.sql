-- A forgotten password. What was asked for waits in a row for a job, whether anybody has that address or not, so that
-- asking costs the same either way; the job removes it.
create table password_reset_requests (
  workspace_id uuid not null references workspaces (workspace_id),
  request_id uuid not null,
  -- Sealed: an address that is nobody's here is none of ours to read.
  sealed_email bytea not null,
  address inet,
  created_at timestamptz not null,
  primary key (workspace_id, request_id)
);
select protect_table('password_reset_requests', 'desk');

-- Only the hash of a code is here: whoever reads the table resets nothing.
create table password_resets (
  workspace_id uuid not null,
  reset_id uuid not null,
  member_id uuid not null,
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at <= created_at + interval '60 minutes'),
  used_at timestamptz,
  superseded_at timestamptz,
  primary key (workspace_id, reset_id),
  unique (workspace_id, code_hash),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  check (used_at is null or superseded_at is null)
);
-- A newer code takes the place of the older one: at most one is open, whatever races.
create unique index password_resets_open on password_resets (workspace_id, member_id)
  where used_at is null and superseded_at is null;
create index password_resets_member on password_resets (workspace_id, member_id);
select protect_table('password_resets', 'own');

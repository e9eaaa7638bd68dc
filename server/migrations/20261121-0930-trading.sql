-- Trading platforms and the members' accounts on them.

create table trading_platforms (
  workspace_id uuid not null references workspaces (workspace_id),
  platform_id uuid not null,
  type text not null check (type in ('mt4', 'mt5')),
  name text not null,
  groups jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (workspace_id, platform_id)
);
select protect_table('trading_platforms', 'shared');

-- How to reach a platform, apart from what members may know about it. The secret is sealed (foundation/secrets.ts).
create table platform_connections (
  workspace_id uuid not null,
  platform_id uuid not null,
  settings jsonb not null,
  sealed_secret bytea not null,
  -- How long after a send of unknown outcome its absence from the deal history begins to count, and how far apart two
  -- look-ups that find nothing must lie, before it may be sent again. 200 s is longer than the 180 s after which an MT5
  -- access server drops a silent connection.
  settle_ms integer not null default 200000 check (settle_ms >= 0),
  look_again_ms integer not null default 30000 check (look_again_ms >= 0),
  -- How long one process may take over one send: longer than every deadline of the adapter together.
  lease_ms integer not null default 75000 check (lease_ms > 0),
  enabled boolean not null default true,
  primary key (workspace_id, platform_id),
  foreign key (workspace_id, platform_id) references trading_platforms (workspace_id, platform_id)
);
select protect_table('platform_connections', 'desk');

create table trading_accounts (
  workspace_id uuid not null,
  account_id uuid not null,
  member_id uuid not null,
  platform_id uuid not null,
  platform_login text not null check (platform_login ~ '^[0-9]{1,20}$'),
  live_account boolean not null,
  type text,
  group_name text not null,
  leverage integer not null check (leverage > 0),
  currency text not null,
  status text not null default 'active',
  country_code char(2),
  city text,
  balance numeric,
  equity numeric,
  floating numeric,
  synced_at timestamptz,
  enable_change_password boolean not null default true,
  enable_read_only boolean not null default false,
  archived boolean not null default false,
  deleted boolean not null default false,
  created_at timestamptz not null,
  primary key (workspace_id, account_id),
  unique (workspace_id, platform_id, platform_login),
  unique (workspace_id, account_id, member_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, platform_id) references trading_platforms (workspace_id, platform_id)
);
create index trading_accounts_member on trading_accounts (workspace_id, member_id, created_at);
select protect_table('trading_accounts', 'own');

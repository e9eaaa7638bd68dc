-- Where a platform's own list of accounts and ours say different things that nobody may guess about. One row for each login and
-- kind, reopened when it comes back after it was settled; what staff chose to keep stays kept.
create table account_differences (
  workspace_id uuid not null,
  difference_id uuid not null,
  platform_id uuid not null,
  platform_login text not null check (platform_login ~ '^[0-9]{1,20}$'),
  -- Null for an account that only the platform knows.
  account_id uuid,
  kind text not null check (kind in ('unknown_owner', 'gone', 'currency', 'returned')),
  reason text not null check (length(reason) between 1 and 60),
  -- What the platform says, for whoever decides. Who stands there is kept only as long as it is undecided.
  group_name text,
  leverage integer,
  holder text check (length(holder) <= 200),
  holder_email text check (length(holder_email) <= 254),
  state text not null default 'open' check (state in ('open', 'kept', 'settled')),
  decision text check (decision in ('imported', 'archived', 'restored', 'kept', 'vanished')),
  decided_by uuid,
  decided_at timestamptz,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (workspace_id, difference_id),
  unique (workspace_id, platform_id, platform_login, kind),
  foreign key (workspace_id, platform_id) references trading_platforms (workspace_id, platform_id),
  foreign key (workspace_id, account_id) references trading_accounts (workspace_id, account_id),
  constraint settled_has_decision check ((state = 'open') = (decision is null)),
  constraint settled_forgets_person check (state <> 'settled' or (holder is null and holder_email is null))
);
create index account_differences_open on account_differences (workspace_id, first_seen_at) where state = 'open';
select protect_table('account_differences', 'desk');

-- When a platform's list was last held against ours, and what kept it from being read.
alter table platform_connections add column compared_at timestamptz;
alter table platform_connections add column compare_problem text;

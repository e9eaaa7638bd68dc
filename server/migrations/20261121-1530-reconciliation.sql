-- Portal, payment providers and platforms held beside each other, day by day, in the brokerage's own time. A day is asked for,
-- every platform is read for it account by account, and then it is compared; a reading that was broken off goes on where it was.
create table reconciliation_days (
  workspace_id uuid not null references workspaces (workspace_id),
  day text not null check (day ~ '^\d{4}-\d{2}-\d{2}$'),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  state text not null default 'asked' check (state in ('asked', 'compared')),
  asked_at timestamptz not null,
  -- Null where the program asked by itself.
  asked_by uuid,
  compared_at timestamptz,
  primary key (workspace_id, day),
  foreign key (workspace_id, asked_by) references staff_users (workspace_id, staff_id),
  constraint compared_has_moment check (state <> 'compared' or compared_at is not null)
);
select protect_table('reconciliation_days', 'desk');

create table reconciliation_readings (
  workspace_id uuid not null,
  day text not null,
  platform_id uuid not null,
  -- The last account whose operations are kept.
  last_account uuid,
  accounts_read integer not null default 0,
  accounts_total integer not null default 0,
  is_complete boolean not null default false,
  -- How far into the day the last whole reading reached, and when that was.
  read_to timestamptz,
  read_at timestamptz,
  problem text,
  touched_at timestamptz not null,
  primary key (workspace_id, day, platform_id),
  foreign key (workspace_id, day) references reconciliation_days (workspace_id, day),
  foreign key (workspace_id, platform_id) references trading_platforms (workspace_id, platform_id)
);
select protect_table('reconciliation_readings', 'desk');

-- What platforms say was put on an account or taken from it, whoever did it.
create table platform_operations (
  workspace_id uuid not null,
  account_id uuid not null,
  ticket text not null,
  amount numeric not null,
  currency text not null,
  tag text,
  at timestamptz not null,
  primary key (workspace_id, account_id, ticket),
  foreign key (workspace_id, account_id) references trading_accounts (workspace_id, account_id)
);
create index platform_operations_at on platform_operations (workspace_id, at);
select protect_table('platform_operations', 'desk');

create table reconciliation_sums (
  workspace_id uuid not null,
  day text not null,
  currency text not null,
  method text not null,
  type text not null check (type in ('deposit', 'withdrawal')),
  portal numeric not null,
  -- Null where no provider is part of it.
  provider numeric,
  -- Null where a platform that is part of it was not read as far.
  platform numeric,
  primary key (workspace_id, day, currency, method, type),
  foreign key (workspace_id, day) references reconciliation_days (workspace_id, day)
);
select protect_table('reconciliation_sums', 'desk');

create table reconciliation_differences (
  workspace_id uuid not null,
  difference_id uuid not null,
  day text not null,
  kind text not null,
  -- What it is about, so that the same one is found again: an intent's ticket, a deal, an order, a notification.
  subject text not null,
  currency text not null,
  method text not null,
  portal numeric,
  provider numeric,
  platform numeric,
  -- Where the provider spoke of another currency than ours.
  provider_currency text,
  account_id uuid,
  transaction_id uuid,
  reference text,
  state text not null default 'open' check (state in ('open', 'explained', 'vanished')),
  note text check (length(note) between 1 and 500),
  explained_by uuid,
  explained_at timestamptz,
  found_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (workspace_id, difference_id),
  unique (workspace_id, day, kind, subject),
  foreign key (workspace_id, day) references reconciliation_days (workspace_id, day),
  foreign key (workspace_id, account_id) references trading_accounts (workspace_id, account_id),
  foreign key (workspace_id, transaction_id) references balance_transactions (workspace_id, transaction_id),
  foreign key (workspace_id, explained_by) references staff_users (workspace_id, staff_id),
  constraint explained_has_note check (state <> 'explained' or (note is not null and explained_by is not null))
);
create index reconciliation_differences_open on reconciliation_differences (workspace_id, day) where state = 'open';
select protect_table('reconciliation_differences', 'desk');

create index platform_intents_done on platform_intents (workspace_id, done_at) where state = 'done';
create index deposit_orders_ended on deposit_orders (workspace_id, ended_at);
create index balance_transactions_settled on balance_transactions (workspace_id, (coalesce(decided_at, created_at)))
  where state = 'approved';
create index balance_transactions_paid on balance_transactions (workspace_id, paid_at) where paid_at is not null;
create index balance_transactions_payout on balance_transactions (workspace_id, payout_reference)
  where payout_reference is not null;

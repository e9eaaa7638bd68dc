-- What the platforms know of trades, kept so that pages, filters, sums and tables are the database's work. The platform's
-- own history stays the truth: rows are written by the program alone, and corrected by what is read again.

create table trade_histories (
  workspace_id uuid not null,
  account_id uuid not null,
  member_id uuid not null,
  platform_id uuid not null,
  -- Everything that the platform told between these two moments is kept, without a gap.
  read_from timestamptz,
  read_to timestamptz,
  -- Nothing is older than read_from.
  is_complete boolean not null default false,
  -- How much of the past the next step backwards takes; follows how densely the account trades.
  step_seconds integer not null default 86400 check (step_seconds > 0),
  -- When the platform last answered, and since when it has not.
  read_at timestamptz,
  failing_since timestamptz,
  asked_at timestamptz not null,
  queued_at timestamptz,
  -- One reader at a time, across processes.
  reader_id uuid,
  reader_until timestamptz,
  -- Open positions as last seen: shown with their age while the platform does not answer.
  positions jsonb,
  positions_read_at timestamptz,
  primary key (workspace_id, account_id),
  foreign key (workspace_id, account_id, member_id) references trading_accounts (workspace_id, account_id, member_id),
  check ((read_from is null) = (read_to is null)),
  check ((reader_id is null) = (reader_until is null))
);
create index trade_histories_readers on trade_histories (workspace_id, platform_id, reader_until)
  where reader_id is not null;
select protect_table('trade_histories', 'own');

create table trade_deals (
  workspace_id uuid not null,
  account_id uuid not null,
  -- The platform's own number: 64 bits without a sign.
  deal_id numeric(20, 0) not null,
  member_id uuid not null,
  order_id text,
  position_id text,
  -- False for balance, credit and other ledger entries, which are kept for their comment and never shown as trades.
  is_trade boolean not null,
  cmd text not null,
  entry smallint not null check (entry between 0 and 3),
  symbol text not null,
  -- Lots x 100.
  volume numeric not null,
  price numeric not null,
  open_price numeric,
  sl numeric,
  tp numeric,
  profit numeric not null,
  swap numeric not null,
  commission numeric not null,
  fee numeric not null,
  at timestamptz not null,
  opened_at timestamptz,
  state smallint not null,
  reason integer not null,
  comment text not null,
  primary key (workspace_id, account_id, deal_id),
  foreign key (workspace_id, account_id, member_id) references trading_accounts (workspace_id, account_id, member_id)
);
create index trade_deals_newest on trade_deals (workspace_id, account_id, at, deal_id);
create index trade_deals_symbol on trade_deals (workspace_id, account_id, symbol, at, deal_id) where is_trade;
create index trade_deals_position on trade_deals (workspace_id, account_id, position_id) where is_trade and entry = 0;
select protect_table('trade_deals', 'own');

-- A member reads their own trades and writes none: what an account earned is the platform's to say.
create policy added_by_the_program on trade_deals as restrictive for insert with check (scope_actor() in ('staff', 'system'));
create policy changed_by_the_program on trade_deals as restrictive for update using (scope_actor() in ('staff', 'system'));
create policy removed_by_the_program on trade_deals as restrictive for delete using (scope_actor() in ('staff', 'system'));
create policy added_by_the_program on trade_histories as restrictive for insert with check (scope_actor() in ('staff', 'system'));
create policy changed_by_the_program on trade_histories as restrictive for update using (scope_actor() in ('staff', 'system'));
create policy removed_by_the_program on trade_histories as restrictive for delete using (scope_actor() in ('staff', 'system'));

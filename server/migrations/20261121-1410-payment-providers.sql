-- Payments through providers: what a workspace offers, orders, and what providers said. The program's rules live in
-- server/payment-providers; what stands here is the second guard of the same rules.

create table payment_providers (
  workspace_id uuid not null references workspaces (workspace_id),
  provider_id uuid not null,
  app_uid text not null check (app_uid ~ '^[a-z0-9]{1,40}$'),
  enabled boolean not null default false,
  version integer not null default 0,
  created_at timestamptz not null,
  primary key (workspace_id, provider_id),
  unique (workspace_id, app_uid)
);
select protect_table('payment_providers', 'shared');

-- Apart from the above, so that no statement of a member's reaches it.
create table payment_provider_connections (
  workspace_id uuid not null,
  provider_id uuid not null,
  settings jsonb not null default '{}',
  sealed_secret bytea not null,
  primary key (workspace_id, provider_id),
  foreign key (workspace_id, provider_id) references payment_providers (workspace_id, provider_id)
);
select protect_table('payment_provider_connections', 'desk');

-- What is offered in each currency. The fee comes on top of the amount that is credited.
create table payment_provider_currencies (
  workspace_id uuid not null,
  provider_id uuid not null,
  currency text not null,
  amount_min numeric not null check (amount_min > 0),
  amount_max numeric not null,
  fee_percent numeric not null default 0 check (fee_percent between 0 and 50),
  fee_fixed numeric not null default 0 check (fee_fixed >= 0),
  primary key (workspace_id, provider_id, currency),
  foreign key (workspace_id, provider_id) references payment_providers (workspace_id, provider_id),
  constraint max_above_min check (amount_max >= amount_min)
);
select protect_table('payment_provider_currencies', 'shared');

create table deposit_orders (
  workspace_id uuid not null,
  order_id uuid not null,
  member_id uuid not null,
  account_id uuid not null,
  provider_id uuid not null,
  -- The movement that an order becomes. Another one only when money came after the first had ended.
  transaction_id uuid not null,
  -- Our name for it at the provider.
  attempt text not null check (attempt ~ '^[a-z0-9-]{8,40}$'),
  -- The provider's name for it.
  reference text,
  amount numeric not null check (amount > 0),
  fee numeric not null check (fee >= 0),
  charge numeric not null,
  currency text not null,
  -- created: written down. checking: whether the provider has it is not known. handed_over: the member may pay.
  -- paid: proven, and equal. for_staff: something differs, or came after the end.
  state text not null check (state in ('created', 'checking', 'handed_over', 'paid', 'declined', 'cancelled', 'expired', 'for_staff')),
  hand_off jsonb,
  -- What the provider said of a try that failed.
  problem text,
  -- Why a person has to look.
  staff_reason text,
  next_look_at timestamptz not null,
  looks integer not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, order_id),
  unique (workspace_id, order_id, member_id),
  unique (workspace_id, provider_id, attempt),
  unique (workspace_id, provider_id, reference),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, account_id, member_id) references trading_accounts (workspace_id, account_id, member_id),
  foreign key (workspace_id, provider_id) references payment_providers (workspace_id, provider_id),
  foreign key (workspace_id, transaction_id, member_id) references balance_transactions (workspace_id, transaction_id, member_id),
  constraint charge_is_amount_and_fee check (charge = amount + fee),
  constraint staff_have_a_reason check (state <> 'for_staff' or staff_reason is not null)
);
create unique index deposit_orders_transaction on deposit_orders (workspace_id, transaction_id);
create index deposit_orders_due on deposit_orders (workspace_id, next_look_at) where state in ('created', 'checking', 'handed_over');
create index deposit_orders_staff on deposit_orders (workspace_id, created_at) where state = 'for_staff';
create index deposit_orders_member on deposit_orders (workspace_id, member_id, created_at desc);
select protect_table('deposit_orders', 'own');

create function guard_deposit_order() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' then
    raise exception 'a member moves no order' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.account_id, new.provider_id, new.attempt, new.amount, new.fee, new.charge, new.currency, new.created_at)
     is distinct from
     (old.member_id, old.account_id, old.provider_id, old.attempt, old.amount, old.fee, old.charge, old.currency, old.created_at) then
    raise exception 'an order keeps what was agreed' using errcode = 'check_violation';
  end if;
  if old.reference is not null and new.reference is distinct from old.reference then
    raise exception 'the provider''s number is written once' using errcode = 'check_violation';
  end if;
  if new.transaction_id <> old.transaction_id and not (new.state = 'paid' and old.state <> 'paid') then
    raise exception 'an order gets another movement only when it is paid' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not (old.state || '>' || new.state = any (array[
    'created>checking', 'created>handed_over', 'created>paid', 'created>declined', 'created>cancelled', 'created>for_staff',
    'checking>handed_over', 'checking>paid', 'checking>declined', 'checking>cancelled', 'checking>expired', 'checking>for_staff',
    'handed_over>paid', 'handed_over>declined', 'handed_over>cancelled', 'handed_over>expired', 'handed_over>for_staff',
    'declined>paid', 'declined>for_staff', 'cancelled>for_staff', 'expired>for_staff',
    'for_staff>paid', 'for_staff>declined'])) then
    raise exception 'an order cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_deposit_order before update on deposit_orders
  for each row execute function guard_deposit_order();

create function guard_new_deposit_order() returns trigger language plpgsql as $$
begin
  if new.state <> 'created' or new.reference is not null or new.hand_off is not null then
    raise exception 'an order starts created' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_new_deposit_order before insert on deposit_orders
  for each row execute function guard_new_deposit_order();

-- What came in at a provider's address, byte for byte, once for each content. Verdict and outcome are written when it was
-- read; an outcome that is for staff waits for one of them.
create table payment_notifications (
  workspace_id uuid not null,
  notification_id uuid not null,
  provider_id uuid not null,
  content_id bytea not null,
  method text not null check (method in ('GET', 'POST')),
  query text not null,
  headers jsonb not null,
  body bytea not null,
  times integer not null default 1,
  received_at timestamptz not null,
  last_received_at timestamptz not null,
  verdict text not null default 'unread'
    check (verdict in ('unread', 'genuine', 'unreadable', 'unsigned', 'wrong_signature', 'another_merchant')),
  outcome text check (outcome in ('applied', 'repeated', 'noted', 'unknown_order', 'for_staff', 'refused')),
  reported jsonb,
  why text,
  order_id uuid,
  read_at timestamptz,
  closed_at timestamptz,
  closed_by uuid,
  primary key (workspace_id, notification_id),
  unique (workspace_id, provider_id, content_id),
  foreign key (workspace_id, provider_id) references payment_providers (workspace_id, provider_id),
  foreign key (workspace_id, order_id) references deposit_orders (workspace_id, order_id),
  foreign key (workspace_id, closed_by) references staff_users (workspace_id, staff_id)
);
create index payment_notifications_list on payment_notifications (workspace_id, received_at desc, notification_id desc);
create index payment_notifications_order on payment_notifications (workspace_id, order_id);
create index payment_notifications_unread on payment_notifications (workspace_id, received_at) where verdict = 'unread';
select protect_table('payment_notifications', 'desk');

-- What was received stays as it was received.
create function guard_payment_notification() returns trigger language plpgsql as $$
begin
  if (new.provider_id, new.content_id, new.method, new.query, new.headers, new.body, new.received_at)
     is distinct from
     (old.provider_id, old.content_id, old.method, old.query, old.headers, old.body, old.received_at) then
    raise exception 'a notification stays as it came' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_payment_notification before update on payment_notifications
  for each row execute function guard_payment_notification();

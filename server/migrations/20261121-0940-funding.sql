-- Money movements. The program's rules live in server/funding; what stands here is the second guard of the same rules.

create table balance_transactions (
  workspace_id uuid not null,
  transaction_id uuid not null,
  ticket bigint not null,
  member_id uuid not null,
  account_id uuid not null,
  type text not null check (type in ('deposit', 'withdrawal')),
  amount numeric not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('pending', 'crediting', 'checking', 'approved', 'rejected', 'cancelled')),
  source text not null check (source in ('client', 'other')),
  payment_method text not null,
  comment text not null default '',
  origin text,
  origin_id uuid,
  destination text,
  destination_id uuid,
  platform_ticket text,
  rejection_reason text,
  rejection_note text,
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, transaction_id),
  unique (workspace_id, ticket),
  unique (workspace_id, transaction_id, member_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, account_id, member_id) references trading_accounts (workspace_id, account_id, member_id),
  foreign key (workspace_id, decided_by) references staff_users (workspace_id, staff_id),
  constraint approved_has_ticket check (state <> 'approved' or platform_ticket is not null),
  constraint rejected_has_reason check (state <> 'rejected' or rejection_reason is not null)
);
create index balance_transactions_member on balance_transactions (workspace_id, member_id, created_at desc, transaction_id desc);
create index balance_transactions_account on balance_transactions (workspace_id, account_id, created_at desc, transaction_id desc);
create index balance_transactions_queue on balance_transactions (workspace_id, type, state, created_at, transaction_id);
select protect_table('balance_transactions', 'own');

-- What was agreed when the row was made stays: an amount edited after hand-over is how money is lost. A state moves only
-- along the table of moves, and a member moves a row nowhere but out of the queue.
create function guard_balance_transaction() returns trigger language plpgsql as $$
begin
  if (new.amount, new.currency, new.account_id, new.member_id, new.type, new.source, new.ticket, new.created_at)
     is distinct from
     (old.amount, old.currency, old.account_id, old.member_id, old.type, old.source, old.ticket, old.created_at) then
    raise exception 'a balance transaction keeps its amount, currency and account' using errcode = 'check_violation';
  end if;
  if old.platform_ticket is not null and new.platform_ticket is distinct from old.platform_ticket then
    raise exception 'a platform ticket is written once' using errcode = 'check_violation';
  end if;
  if new.state <> old.state then
    if not (old.state || '>' || new.state = any (array[
      'pending>crediting', 'pending>rejected', 'pending>cancelled',
      'crediting>approved', 'crediting>checking', 'crediting>pending',
      'checking>approved', 'checking>crediting', 'checking>pending'])) then
      raise exception 'a balance transaction cannot move from % to %', old.state, new.state using errcode = 'check_violation';
    end if;
    if scope_actor() = 'member' and new.state <> 'cancelled' then
      raise exception 'a member cannot decide a balance transaction' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $$;
create trigger guard_balance_transaction before update on balance_transactions
  for each row execute function guard_balance_transaction();

create function guard_new_balance_transaction() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' and (new.state <> 'pending' or new.source <> 'client' or new.platform_ticket is not null) then
    raise exception 'what a member creates starts pending' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger guard_new_balance_transaction before insert on balance_transactions
  for each row execute function guard_new_balance_transaction();

create table transaction_attachments (
  workspace_id uuid not null,
  transaction_id uuid not null,
  media_id uuid not null,
  member_id uuid not null,
  created_at timestamptz not null,
  primary key (workspace_id, transaction_id, media_id),
  -- One receipt proves one payment.
  unique (workspace_id, media_id),
  foreign key (workspace_id, transaction_id, member_id) references balance_transactions (workspace_id, transaction_id, member_id),
  foreign key (workspace_id, media_id, member_id) references media (workspace_id, media_id, member_id)
);
select protect_table('transaction_attachments', 'own');

-- The member's timeline of a transaction: what happened, and who did it.
create table transaction_events (
  workspace_id uuid not null,
  event_id uuid not null,
  transaction_id uuid not null,
  member_id uuid not null,
  at timestamptz not null,
  event text not null,
  actor_kind text not null check (actor_kind in ('member', 'staff', 'system')),
  -- Who of the staff; for the desk's eyes.
  staff_id uuid check (staff_id is null or actor_kind = 'staff'),
  note text,
  primary key (workspace_id, event_id),
  foreign key (workspace_id, transaction_id, member_id) references balance_transactions (workspace_id, transaction_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)
);
create index transaction_events_transaction on transaction_events (workspace_id, transaction_id, event_id);
select protect_table('transaction_events', 'log');

-- What is to be done on a platform, written down and committed before anything is sent (funding/intent.ts).
create table platform_intents (
  workspace_id uuid not null,
  intent_id uuid not null,
  kind text not null check (kind in ('balance')),
  platform_id uuid not null,
  platform_login text not null,
  transaction_id uuid,
  amount numeric not null check (amount <> 0),
  currency text not null,
  note text not null,
  tag text not null check (length(tag) = 17),
  state text not null check (state in ('ready', 'sending', 'unknown', 'done', 'rejected', 'stuck')),
  attempt integer not null default 0,
  -- How often absence was proven and the same tag sent again.
  resends integer not null default 0,
  lease_until timestamptz,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  absent_since timestamptz,
  next_step_at timestamptz not null,
  ticket text,
  platform_code integer,
  platform_text text,
  last_problem text,
  created_at timestamptz not null,
  done_at timestamptz,
  primary key (workspace_id, intent_id),
  unique (workspace_id, platform_id, tag),
  unique (workspace_id, platform_id, platform_login, ticket),
  foreign key (workspace_id, platform_id) references trading_platforms (workspace_id, platform_id),
  foreign key (workspace_id, transaction_id) references balance_transactions (workspace_id, transaction_id),
  constraint done_has_ticket check (state <> 'done' or ticket is not null)
);
create unique index platform_intents_open on platform_intents (workspace_id, transaction_id)
  where state in ('ready', 'sending', 'unknown', 'stuck', 'done');
create index platform_intents_due on platform_intents (workspace_id, next_step_at) where state in ('ready', 'sending', 'unknown');
select protect_table('platform_intents', 'desk');

create function guard_platform_intent() returns trigger language plpgsql as $$
begin
  if (new.amount, new.currency, new.platform_id, new.platform_login, new.tag, new.transaction_id)
     is distinct from
     (old.amount, old.currency, old.platform_id, old.platform_login, old.tag, old.transaction_id) then
    raise exception 'an intent keeps what it is for' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not (old.state || '>' || new.state = any (array[
    'ready>sending', 'ready>done', 'sending>done', 'sending>rejected', 'sending>unknown', 'sending>ready',
    'unknown>done', 'unknown>ready', 'unknown>stuck', 'ready>stuck', 'stuck>unknown'])) then
    raise exception 'an intent cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_platform_intent before update on platform_intents
  for each row execute function guard_platform_intent();

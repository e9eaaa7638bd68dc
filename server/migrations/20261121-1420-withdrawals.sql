-- Withdrawals: asked for and reserved, decided, debited on the platform, paid out, or given back.
alter table balance_transactions
  drop constraint balance_transactions_state_check,
  add constraint balance_transactions_state_check check (state in (
    'pending', 'crediting', 'debiting', 'checking', 'paying', 'returning', 'approved', 'rejected', 'cancelled')),
  -- Of the amount the platform is debited with, what the brokerage keeps; the rest is paid out.
  add column fee numeric not null default 0 check (fee >= 0),
  -- A withdrawal's destination as it was on the day: staff pay to what the member saw, not to what was edited since.
  add column destination_text text,
  add column coin text,
  -- Written down when it is asked for: a limit lowered later needs no fewer people for what is under way.
  add column approvals_needed smallint not null default 1 check (approvals_needed between 1 and 2),
  -- Who decided is counted anew after the platform has refused.
  add column approval_round smallint not null default 1,
  -- Who of the staff asked for it in the member's place.
  add column asked_by uuid,
  add column debited_at timestamptz,
  add column paid_at timestamptz,
  add column payout_reference text,
  add constraint fee_below_amount check (fee < amount),
  add constraint debited_has_ticket check (state not in ('paying', 'returning') or platform_ticket is not null),
  add foreign key (workspace_id, asked_by) references staff_users (workspace_id, staff_id);

-- What is reserved of an account, and what was debited lately, is read with each request for more.
create index balance_transactions_reserved on balance_transactions (workspace_id, account_id)
  where type = 'withdrawal' and state in ('pending', 'debiting', 'checking');
create index balance_transactions_debited on balance_transactions (workspace_id, account_id, debited_at)
  where type = 'withdrawal' and debited_at is not null;

-- Who approved what. Nobody counts twice in a round, whatever the program says.
create table withdrawal_approvals (
  workspace_id uuid not null,
  transaction_id uuid not null,
  round smallint not null,
  staff_id uuid not null,
  approved_at timestamptz not null,
  primary key (workspace_id, transaction_id, round, staff_id),
  foreign key (workspace_id, transaction_id) references balance_transactions (workspace_id, transaction_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)
);
select protect_table('withdrawal_approvals', 'desk');

create or replace function guard_balance_transaction() returns trigger language plpgsql as $$
declare
  move text := old.state || '>' || new.state;
begin
  if (new.amount, new.currency, new.account_id, new.member_id, new.type, new.source, new.ticket, new.created_at, new.fee,
      new.approvals_needed, new.asked_by)
     is distinct from
     (old.amount, old.currency, old.account_id, old.member_id, old.type, old.source, old.ticket, old.created_at, old.fee,
      old.approvals_needed, old.asked_by) then
    raise exception 'a balance transaction keeps its amount, currency and account' using errcode = 'check_violation';
  end if;
  -- Emptied when its member is erased, and never pointed elsewhere: that is how a withdrawal would reach a thief.
  if old.type = 'withdrawal' and (new.destination_id is distinct from old.destination_id
      or (new.destination is not null and new.destination is distinct from old.destination)
      or (new.coin is not null and new.coin is distinct from old.coin)
      or (new.destination_text is not null and new.destination_text is distinct from old.destination_text)) then
    raise exception 'a withdrawal keeps its destination' using errcode = 'check_violation';
  end if;
  if old.platform_ticket is not null and new.platform_ticket is distinct from old.platform_ticket then
    raise exception 'a platform ticket is written once' using errcode = 'check_violation';
  end if;
  if scope_actor() = 'member' and to_jsonb(new) - 'state' is distinct from to_jsonb(old) - 'state' then
    raise exception 'a member cannot decide a balance transaction' using errcode = 'insufficient_privilege';
  end if;
  if new.state <> old.state then
    if not (case old.type
      when 'deposit' then move = any (array[
        'pending>crediting', 'pending>rejected', 'pending>cancelled',
        'crediting>approved', 'crediting>checking', 'crediting>pending',
        'checking>approved', 'checking>crediting', 'checking>pending'])
      else move = any (array[
        'pending>debiting', 'pending>rejected', 'pending>cancelled',
        'debiting>paying', 'debiting>approved', 'debiting>checking', 'debiting>pending',
        'checking>paying', 'checking>approved', 'checking>debiting', 'checking>pending',
        'paying>approved', 'paying>returning',
        'returning>rejected', 'returning>paying'])
      end) then
      raise exception 'a % cannot move from % to %', old.type, old.state, new.state using errcode = 'check_violation';
    end if;
    if scope_actor() = 'member' and new.state <> 'cancelled' then
      raise exception 'a member cannot decide a balance transaction' using errcode = 'insufficient_privilege';
    end if;
    -- What a platform has said is written by the program alone.
    if scope_actor() = 'staff' and not move = any (array[
      'pending>crediting', 'pending>debiting', 'pending>rejected', 'pending>cancelled', 'paying>approved', 'paying>returning']) then
      raise exception 'staff cannot decide for a platform' using errcode = 'insufficient_privilege';
    end if;
    if move = 'pending>debiting' and scope_actor() = 'staff' and (
      select count(*) from withdrawal_approvals
      where workspace_id = old.workspace_id and transaction_id = old.transaction_id and round = old.approval_round
        and staff_id is distinct from old.asked_by) < old.approvals_needed then
      raise exception 'a withdrawal is debited once enough people have approved it' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $$;

create or replace function guard_new_balance_transaction() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' and (new.state <> 'pending' or new.source <> 'client' or new.platform_ticket is not null
      or new.asked_by is not null or new.debited_at is not null or new.paid_at is not null) then
    raise exception 'what a member creates starts pending' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- One open or done intent a transaction and direction: a debit, and the credit that gives it back.
drop index platform_intents_open;
create unique index platform_intents_open on platform_intents (workspace_id, transaction_id, (amount > 0))
  where state in ('ready', 'sending', 'unknown', 'stuck', 'done');

-- When the password was last changed by whoever knew it: withdrawals rest for a while after that too.
alter table members add column password_changed_at timestamptz;

-- What the check of the books found and still finds: where the program and a platform do not agree about money.
create table ledger_findings (
  workspace_id uuid not null references workspaces (workspace_id),
  kind text not null,
  subject text not null,
  detail text not null,
  found_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (workspace_id, kind, subject)
);
select protect_table('ledger_findings', 'desk');
create table ledger_checks (
  workspace_id uuid primary key references workspaces (workspace_id),
  checked_at timestamptz not null
);
select protect_table('ledger_checks', 'desk');

-- A deposit that takes two people is credited by staff once two have approved it, whatever the program says. The approvals stand in
-- the table of withdrawals' approvals, which keeps its name for the version before.
create or replace function guard_balance_transaction() returns trigger language plpgsql as $$
declare
  move text := old.state || '>' || new.state;
begin
  if (new.amount, new.currency, new.account_id, new.member_id, new.type, new.source, new.ticket, new.created_at, new.fee,
      new.approvals_needed, new.asked_by, new.asked_at)
     is distinct from
     (old.amount, old.currency, old.account_id, old.member_id, old.type, old.source, old.ticket, old.created_at, old.fee,
      old.approvals_needed, old.asked_by, old.asked_at) then
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
    -- Of deposits only where it takes two: the version before approves the others without writing it down.
    if (move = 'pending>debiting' or move = 'pending>crediting' and old.approvals_needed > 1) and scope_actor() = 'staff' and (
      select count(*) from withdrawal_approvals
      where workspace_id = old.workspace_id and transaction_id = old.transaction_id and round = old.approval_round
        and staff_id is distinct from old.asked_by) < old.approvals_needed then
      raise exception 'money moves once enough people have approved it' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $$;

-- What colleagues wrote about an erased member where no member stands in the row: of a payment that somebody decided about, and in
-- the log of what was looked into between the books and a platform, or sent to one.

create or replace function guard_payment_case() returns trigger language plpgsql as $$
declare
  words constant text[] := array['note', 'outside_reference'];
begin
  -- Its words go when its member is erased; what was decided stays.
  if old.state = 'closed' and (to_jsonb(new) - words is distinct from to_jsonb(old) - words
      or new.note is not null or new.outside_reference is not null) then
    raise exception 'a decided payment stays decided' using errcode = 'check_violation';
  end if;
  if (new.order_id, new.provider_id, new.payment, new.kind, new.why, new.paid, new.paid_currency, new.opened_at)
     is distinct from
     (old.order_id, old.provider_id, old.payment, old.kind, old.why, old.paid, old.paid_currency, old.opened_at) then
    raise exception 'a payment stays as it was made' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Whose business an entry is that names no member: by what it is about.
create function audit_subject_member(entry audit_log) returns uuid language sql stable
  as $$
    select case entry.subject_kind
      when 'reconciliation_difference' then (
        select account.member_id from reconciliation_differences as difference
        join trading_accounts as account
          on account.workspace_id = difference.workspace_id and account.account_id = difference.account_id
        where difference.workspace_id = entry.workspace_id and difference.difference_id = entry.subject_id)
      when 'platform_intent' then (
        select moved.member_id from platform_intents as intent
        join balance_transactions as moved
          on moved.workspace_id = intent.workspace_id and moved.transaction_id = intent.transaction_id
        where intent.workspace_id = entry.workspace_id and intent.intent_id = entry.subject_id)
    end
  $$;

create or replace function erase_logged_details(erased uuid) returns bigint language plpgsql security definer set search_path = pg_catalog, public
  as $$
declare
  changed bigint;
begin
  if scope_actor() not in ('staff', 'system') or not exists (
    select from public.members where workspace_id = public.scope_workspace() and member_id = erased and status = 'erased')
  then
    raise exception 'only the details of an erased member may go' using errcode = 'insufficient_privilege';
  end if;
  update public.audit_log set before = null, after = null, address = null
    where workspace_id = public.scope_workspace() and member_id = erased;
  get diagnostics changed = row_count;
  -- By their subjects, of which an index knows.
  update public.audit_log set before = null, after = null, address = null
    where workspace_id = public.scope_workspace() and subject_kind = 'reconciliation_difference'
      and subject_id = any (array(
        select difference.difference_id from public.trading_accounts as account
        join public.reconciliation_differences as difference
          on difference.workspace_id = account.workspace_id and difference.account_id = account.account_id
        where account.workspace_id = public.scope_workspace() and account.member_id = erased));
  update public.audit_log set before = null, after = null, address = null
    where workspace_id = public.scope_workspace() and subject_kind = 'platform_intent'
      and subject_id = any (array(
        select intent.intent_id from public.balance_transactions as moved
        join public.platform_intents as intent
          on intent.workspace_id = moved.workspace_id and intent.transaction_id = moved.transaction_id
        where moved.workspace_id = public.scope_workspace() and moved.member_id = erased));
  update public.transaction_events set note = null
    where workspace_id = public.scope_workspace() and member_id = erased and note is not null
      and transaction_id = any (array(
        select transaction_id from public.balance_transactions
        where workspace_id = public.scope_workspace() and member_id = erased));
  return changed;
end $$;

-- The schema as the migrations leave it. Written by npm run generate; for reading, not for running.

CREATE OR REPLACE FUNCTION audit_details_hash(entry audit_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$ select sha256(convert_to(jsonb_build_array(entry.before, entry.after, host(entry.address))::text, 'UTF8')) $function$;

CREATE OR REPLACE FUNCTION audit_link_hash(previous bytea, entry audit_log, details bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
    select sha256(previous || details || convert_to(jsonb_build_array(
      entry.workspace_id, entry.audit_id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor_kind, entry.actor_id,
      entry.member_id, entry.action, entry.subject_kind, entry.subject_id, entry.request_id)::text, 'UTF8'))
  $function$;

CREATE OR REPLACE FUNCTION audit_subject_member(entry audit_log)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
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
  $function$;

CREATE OR REPLACE FUNCTION credited_back(workspace uuid, withdrawal uuid, except_case uuid)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(c.amount), 0) from payment_cases e
  join balance_transactions c on c.workspace_id = e.workspace_id and c.transaction_id = e.transaction_id
  where e.workspace_id = workspace and e.case_id <> except_case and e.why <> 'credit_refused'
    and (e.withdrawal_id = withdrawal and c.state not in ('rejected', 'cancelled') or e.payout_id = any (array(
      select p.payout_id from payout_orders p where p.workspace_id = workspace and p.transaction_id = withdrawal)))
$function$;

CREATE OR REPLACE FUNCTION erase_logged_details(erased uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  changed bigint;
begin
  if scope_actor() not in ('staff', 'system') or not exists (
    select from members where workspace_id = scope_workspace() and member_id = erased and status = 'erased')
  then
    raise exception 'only the details of an erased member may go' using errcode = 'insufficient_privilege';
  end if;
  update audit_log set before = null, after = null, address = null
    where workspace_id = scope_workspace() and member_id = erased;
  get diagnostics changed = row_count;
  -- By their subjects, of which an index knows.
  update audit_log set before = null, after = null, address = null
    where workspace_id = scope_workspace() and subject_kind = 'reconciliation_difference'
      and subject_id = any (array(
        select difference.difference_id from trading_accounts as account
        join reconciliation_differences as difference
          on difference.workspace_id = account.workspace_id and difference.account_id = account.account_id
        where account.workspace_id = scope_workspace() and account.member_id = erased));
  update audit_log set before = null, after = null, address = null
    where workspace_id = scope_workspace() and subject_kind = 'platform_intent'
      and subject_id = any (array(
        select intent.intent_id from balance_transactions as moved
        join platform_intents as intent
          on intent.workspace_id = moved.workspace_id and intent.transaction_id = moved.transaction_id
        where moved.workspace_id = scope_workspace() and moved.member_id = erased));
  update transaction_events set note = null
    where workspace_id = scope_workspace() and member_id = erased and note is not null
      and transaction_id = any (array(
        select transaction_id from balance_transactions
        where workspace_id = scope_workspace() and member_id = erased));
  return changed;
end $function$;

CREATE OR REPLACE FUNCTION find_workspace(host_label text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    select workspace_id from workspaces
    where subdomain = host_label or (host_label is null and is_default)
    limit 1
  $function$;

CREATE OR REPLACE FUNCTION forge_audit_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  entry audit_log;
  last_link record;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_links ' || new.workspace_id, 0));
  -- A statement after the lock, so that it sees what whoever held the lock has committed.
  select position, hash into last_link from audit_links
    where workspace_id = new.workspace_id order by position desc limit 1;
  select * into strict entry from audit_log where workspace_id = new.workspace_id and audit_id = new.audit_id;
  new.position := coalesce(last_link.position, 0) + 1;
  new.details_hash := audit_details_hash(entry);
  new.hash := audit_link_hash(coalesce(last_link.hash, ''), entry, new.details_hash);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION forget_acceptances(erased uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if scope_actor() is distinct from 'system' or not exists (
    select from members where workspace_id = scope_workspace() and member_id = erased and status = 'erased')
  then
    raise exception 'only what an erased member agreed to may go' using errcode = 'insufficient_privilege';
  end if;
  delete from terms_acceptances where workspace_id = scope_workspace() and member_id = erased;
end $function$;

CREATE OR REPLACE FUNCTION guard_account_opening()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' then
    raise exception 'a member moves no opening' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.kind, new.platform_id, new.group_name, new.leverage, new.tag, new.created_at)
     is distinct from
     (old.member_id, old.kind, old.platform_id, old.group_name, old.leverage, old.tag, old.created_at) then
    raise exception 'an opening keeps what it is for' using errcode = 'check_violation';
  end if;
  if old.sent_at is not null and new.sent_at is distinct from old.sent_at then
    raise exception 'an opening is sent once' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not (old.state || '>' || new.state = any (array[
    'ready>sending', 'ready>rejected', 'ready>not_executed',
    'sending>done', 'sending>rejected', 'sending>not_executed', 'sending>unknown',
    'unknown>done', 'unknown>not_opened', 'not_opened>done'])) then
    raise exception 'an opening cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_balance_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION guard_deposit_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION guard_destination()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' then
    if new.usable_from < old.usable_from then
      raise exception 'a destination rests until its time' using errcode = 'insufficient_privilege';
    end if;
    if old.removed_at is not null then
      raise exception 'a removed destination stays as it was' using errcode = 'insufficient_privilege';
    end if;
  end if;
  if new.member_id <> old.member_id or new.created_at <> old.created_at then
    raise exception 'a destination keeps its owner' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' then
    raise exception 'a member decides on no document' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.media_id, new.file_category_id, new.created_at)
     is distinct from (old.member_id, old.media_id, old.file_category_id, old.created_at) then
    raise exception 'a document stays the paper that was handed in' using errcode = 'check_violation';
  end if;
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'in_verification>approved', 'in_verification>rejected', 'approved>pending',
    'pending>approved', 'pending>rejected', 'rejected>approved'])) then
    raise exception 'a document cannot move from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_document_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' then
    raise exception 'what happened stays as it was' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.document_id, new.document_request_id, new.at, new.event, new.actor_kind, new.staff_id)
     is distinct from
     (old.member_id, old.document_id, old.document_request_id, old.at, old.event, old.actor_kind, old.staff_id) then
    raise exception 'what happened stays as it was' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_erased_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an erased member stays erased' using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION guard_form()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.current_version < old.current_version or new.created_at <> old.created_at then
    raise exception 'a form does not run backwards' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_form_answers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and scope_actor() <> 'member' then
    return old;
  end if;
  raise exception 'what was sent stays as it was sent' using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION guard_form_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a form stays as it was published' using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION guard_identity_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' then
    raise exception 'a member does not decide on an identity check' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.vendor_id, new.created_at) is distinct from (old.member_id, old.vendor_id, old.created_at) then
    raise exception 'an identity check stays whose it is' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_member_papers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' and (
    (new.kyc_category_id, new.papers_elsewhere) is distinct from (old.kyc_category_id, old.papers_elsewhere)
    or (new.documents_status <> old.documents_status and new.documents_status = 'approved')) then
    raise exception 'a member does not approve own papers' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_new_account_opening()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state <> 'ready' or new.sent_at is not null or new.account_id is not null then
    raise exception 'an opening starts ready' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_new_balance_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' and (new.state <> 'pending' or new.source <> 'client' or new.platform_ticket is not null
      or new.asked_by is not null or new.debited_at is not null or new.paid_at is not null) then
    raise exception 'what a member creates starts pending' using errcode = 'insufficient_privilege';
  end if;
  if new.asked_at > new.created_at then
    raise exception 'nothing moves before it is asked for' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_new_deposit_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state <> 'created' or new.reference is not null or new.hand_off is not null then
    raise exception 'an order starts created' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_new_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status <> 'in_verification' or new.decided_by is not null then
    raise exception 'a document starts in verification' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_new_identity_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state <> 'started' or new.reported_at is not null or new.applicant_id is not null then
    raise exception 'an identity check begins as started' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_new_payout_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.state <> 'created' or new.reference is not null then
    raise exception 'a payout starts created' using errcode = 'check_violation';
  end if;
  if not exists (select from balance_transactions t
      where t.workspace_id = new.workspace_id and t.transaction_id = new.transaction_id and t.type = 'withdrawal'
        and t.state = 'paying' and t.currency = new.currency and t.amount - t.fee = new.amount) then
    raise exception 'a payout is of a debited withdrawal and its amount' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_new_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' and (new.status <> 'not-assigned' or new.priority <> 'low'
      or new.comment is not null or new.assigned_staff_id is not null) then
    raise exception 'a request starts low and with nobody' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_new_ticket()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state <> 'open' or new.priority <> 'low' or new.messages <> 0 or new.first_answered_at is not null
      or new.resolved_at is not null or new.last_of_staff + new.last_of_member + new.read_by_member <> 0 then
    raise exception 'a ticket starts open, low and without messages' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_order_coin()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.coin is distinct from old.coin then
    raise exception 'an order keeps its coin' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_paid_once()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if old.state = 'paying' and new.state in ('approved', 'returning') and exists (
      select from payout_orders p where p.workspace_id = old.workspace_id and p.transaction_id = old.transaction_id
        and (p.state in ('created', 'sending', 'checking', 'accepted', 'for_staff')
          or (p.state = 'paid' and new.state = 'returning'))) then
    raise exception 'a provider has this payout' using errcode = 'check_violation';
  end if;
  if old.type = 'deposit' and old.state = 'pending' and new.state in ('rejected', 'cancelled')
      and old.approval_round > 1 and starts_with(old.payment_method, 'psp:')
      and (new.state = 'cancelled' or not exists (
        select from payment_credits credited join payment_cases refunded
          on refunded.workspace_id = credited.workspace_id and refunded.provider_id = credited.provider_id
          and refunded.claims = credited.payment
        where credited.workspace_id = old.workspace_id and credited.transaction_id = old.transaction_id
          and refunded.why = 'credit_refused' and refunded.decision = 'given_back' and refunded.state = 'closed')) then
    raise exception 'a provider has the money of this deposit' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_payment_case()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  words constant text[] := array['note', 'outside_reference'];
begin
  -- Its words go when its member is erased; what was decided stays.
  if old.state = 'closed' and (to_jsonb(new) - words is distinct from to_jsonb(old) - words
      or new.note is not null or new.outside_reference is not null) then
    raise exception 'a decided payment stays decided' using errcode = 'check_violation';
  end if;
  if (new.order_id, new.payout_id, new.withdrawal_id, new.provider_id, new.payment, new.claims, new.kind, new.why, new.paid,
      new.paid_currency, new.opened_at)
     is distinct from
     (old.order_id, old.payout_id, old.withdrawal_id, old.provider_id, old.payment, old.claims, old.kind, old.why, old.paid,
      old.paid_currency, old.opened_at) then
    raise exception 'a payment stays as it was made' using errcode = 'check_violation';
  end if;
  -- What came back is credited to the account that it left, at most as reported, and all returns of a withdrawal at most what was paid.
  if new.order_id is null and new.why <> 'credit_refused' and new.transaction_id is not null and old.transaction_id is null
      and not exists (
        select from balance_transactions w
        left join payout_orders p on p.workspace_id = w.workspace_id and p.payout_id = new.payout_id
        join balance_transactions c on c.workspace_id = w.workspace_id and c.transaction_id = new.transaction_id
        where w.workspace_id = new.workspace_id and w.transaction_id = coalesce(new.withdrawal_id, p.transaction_id)
          and case when new.withdrawal_id is null then p.state = 'paid' and (new.why = 'payout_returned'
              or new.why = 'payout_returned_again' and new.proposed_by is not null and new.decided_by is not null)
            else w.type = 'withdrawal' and w.state = 'approved' and new.why = 'transfer_returned' end
          and new.paid_currency = w.currency and c.amount <= new.paid
          and c.type = 'deposit' and (c.member_id, c.account_id, c.currency) = (w.member_id, w.account_id, w.currency)
          and c.amount + credited_back(w.workspace_id, w.transaction_id, new.case_id) <= coalesce(p.amount, w.amount - w.fee)) then
    raise exception 'a payout that came back is credited once, to its account' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_payment_notification()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.provider_id, new.content_id, new.method, new.received_at)
     is distinct from
     (old.provider_id, old.content_id, old.method, old.received_at) then
    raise exception 'a notification stays as it came' using errcode = 'check_violation';
  end if;
  if old.cleared_at is not null and new.cleared_at is distinct from old.cleared_at then
    raise exception 'a notification is cleared once' using errcode = 'check_violation';
  end if;
  -- A refused one is read again with the headers and the address of its proven repeat.
  if (new.cleared_at is null or old.cleared_at is not null)
     and ((new.query, new.body) is distinct from (old.query, old.body)
       or (new.headers is distinct from old.headers
         and (old.cleared_at is not null or new.verdict <> 'unread' or old.verdict in ('unread', 'genuine', 'unverified')))) then
    raise exception 'a notification stays as it came until it is cleared' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_payout_coin()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.coin is distinct from old.coin then
    raise exception 'a payout keeps its coin' using errcode = 'check_violation';
  end if;
  if old.coin_amount is not null and new.coin_amount is distinct from old.coin_amount then
    raise exception 'how much of a coin is sent is written once' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_payout_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.transaction_id, new.member_id, new.provider_id, new.attempt, new.amount, new.currency, new.created_at)
     is distinct from
     (old.transaction_id, old.member_id, old.provider_id, old.attempt, old.amount, old.currency, old.created_at) then
    raise exception 'a payout keeps what was agreed' using errcode = 'check_violation';
  end if;
  if old.reference is not null and new.reference is distinct from old.reference then
    raise exception 'the provider''s number is written once' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not (old.state || '>' || new.state = any (array[
    'created>sending', 'created>for_staff', 'created>dropped',
    'sending>created', 'sending>checking', 'sending>accepted', 'sending>paid', 'sending>declined', 'sending>for_staff',
    'checking>accepted', 'checking>paid', 'checking>declined', 'checking>for_staff',
    'accepted>paid', 'accepted>declined', 'accepted>for_staff',
    'for_staff>paid', 'for_staff>declined', 'for_staff>dropped'])) then
    raise exception 'a payout cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_platform_intent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.amount, new.currency, new.platform_id, new.platform_login, new.tag, new.transaction_id)
     is distinct from
     (old.amount, old.currency, old.platform_id, old.platform_login, old.tag, old.transaction_id) then
    raise exception 'an intent keeps what it is for' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not (old.state || '>' || new.state = any (array[
    'ready>sending', 'ready>done', 'sending>done', 'sending>rejected', 'sending>unknown', 'sending>ready',
    'unknown>done', 'unknown>ready', 'unknown>stuck', 'ready>stuck', 'stuck>unknown', 'stuck>done', 'stuck>rejected'])) then
    raise exception 'an intent cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  -- The program settles by the word of two people; neither they nor the program do so alone.
  if old.state = 'stuck' and new.state in ('done', 'rejected') and (old.decided_outcome is null or scope_actor() is distinct from 'system') then
    raise exception 'a stuck intent is settled by the program after a decision' using errcode = 'insufficient_privilege';
  end if;
  -- The history is asked again, so what was recorded without it is void. A process of the version before does not know of it.
  if old.state = 'stuck' and new.state = 'unknown' then
    new.account_gone_at := null;
    new.decided_outcome := null;
    new.decided_ticket := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_practice_money()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.payment_method = 'demo' and exists (
    select from trading_accounts
    where workspace_id = new.workspace_id and account_id = new.account_id and live_account) then
    raise exception 'practice money is for demo accounts' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_recorded_refund()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (
      select from payment_credits credited join balance_transactions deposit
        on deposit.workspace_id = credited.workspace_id and deposit.transaction_id = credited.transaction_id
      where credited.workspace_id = new.workspace_id and credited.provider_id = new.provider_id
        and credited.payment = new.claims and deposit.state = 'rejected') then
    raise exception 'a refunded deposit is not pending' using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION guard_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  of_members constant text[] := array['status', 'status_since', 'comment'];
  move text := old.status || '>' || new.status;
begin
  if (new.number, new.member_id, new.request_type_id, new.created_at, new.form_id, new.form_version)
     is distinct from
     (old.number, old.member_id, old.request_type_id, old.created_at, old.form_id, old.form_version) then
    raise exception 'a request keeps whose it is and what it asks for' using errcode = 'check_violation';
  end if;
  -- Emptied when its member is erased, and never reworded: what is approved is what was asked for.
  if (new.subject <> old.subject and new.subject <> 'Erased')
      or (new.description is distinct from old.description and new.description is not null)
      or (new.wanted_change is distinct from old.wanted_change and new.wanted_change is not null) then
    raise exception 'a request keeps its words' using errcode = 'check_violation';
  end if;
  if new.status <> old.status and not move = any (array[
      'not-assigned>open', 'not-assigned>in-progress', 'not-assigned>done', 'not-assigned>canceled', 'not-assigned>rejected',
      'open>not-assigned', 'open>in-progress', 'open>done', 'open>canceled', 'open>rejected',
      'in-progress>not-assigned', 'in-progress>open', 'in-progress>done', 'in-progress>canceled', 'in-progress>rejected'])
  then
    raise exception 'a request cannot move from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  if scope_actor() = 'member' and (
      to_jsonb(new) - of_members is distinct from to_jsonb(old) - of_members
      or old.status in ('done', 'canceled', 'rejected') or new.status <> 'canceled') then
    raise exception 'a member takes a request back and decides on none' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_request_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' and (tg_op <> 'INSERT' or new.staff_id is not null or new.kind not in ('sent', 'moved')) then
    raise exception 'a member does not speak for the desk' using errcode = 'insufficient_privilege';
  end if;
  -- Its comment goes when its member is erased; that it happened stays.
  if tg_op = 'DELETE' or (tg_op = 'UPDATE'
      and (to_jsonb(new) - 'comment' is distinct from to_jsonb(old) - 'comment' or new.comment is not null)) then
    raise exception 'what happened stays as it was' using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_request_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' then
    raise exception 'a member removes no request' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION guard_returned_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from payment_cases credited where credited.workspace_id = new.workspace_id
      and credited.transaction_id = new.transaction_id and credited.withdrawal_id is not null
      and not exists (select from payment_cases anew where anew.workspace_id = credited.workspace_id
        and anew.withdrawal_id = credited.withdrawal_id and anew.claims = credited.claims and anew.state <> 'closed')) then
    raise exception 'money that came back is not rejected' using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION guard_ticket()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  of_members constant text[] := array['state', 'state_since', 'priority', 'taken_by', 'taken_by_name', 'resolved_at',
    'messages', 'last_of_member', 'read_by_member'];
  move text := old.state || '>' || new.state;
begin
  if (new.number, new.member_id, new.type, new.created_at, new.account_id, new.transaction_id, new.download_id)
     is distinct from
     (old.number, old.member_id, old.type, old.created_at, old.account_id, old.transaction_id, old.download_id) then
    raise exception 'a ticket keeps whose it is and what it is about' using errcode = 'check_violation';
  end if;
  -- Emptied when its member is erased, and never reworded.
  if (new.subject <> old.subject and new.subject <> 'Erased')
      or (new.description <> old.description and new.description <> 'Erased') then
    raise exception 'a ticket keeps its words' using errcode = 'check_violation';
  end if;
  if new.state = 'open' and new.taken_by is not null then
    raise exception 'an open ticket is nobody''s' using errcode = 'check_violation';
  end if;
  if new.messages < old.messages or new.read_by_member < old.read_by_member or new.read_by_member > new.messages
      or (old.first_answered_at is not null and new.first_answered_at is distinct from old.first_answered_at) then
    raise exception 'a conversation does not run backwards' using errcode = 'check_violation';
  end if;
  if old.state = 'closed' and new.state <> 'closed' then
    raise exception 'what was merged goes on elsewhere' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not move = any (array[
      'open>taken', 'open>resolved', 'open>closed', 'taken>open', 'taken>resolved', 'taken>closed',
      'resolved>open', 'resolved>taken', 'resolved>closed']) then
    raise exception 'a ticket cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if scope_actor() = 'member' then
    if to_jsonb(new) - of_members is distinct from to_jsonb(old) - of_members
        or (new.taken_by is not null and new.taken_by is distinct from old.taken_by)
        or (new.state <> old.state and not move = any (array[
            'open>taken', 'open>resolved', 'taken>open', 'taken>resolved', 'resolved>open', 'resolved>taken'])) then
      raise exception 'a member takes no ticket and answers for nobody' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_ticket_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    raise exception 'what was said stays as it was said' using errcode = 'check_violation';
  end if;
  if scope_actor() = 'member' and new.staff_id is not null then
    raise exception 'a member does not speak for the desk' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION guard_ticket_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if scope_actor() = 'member' then
    raise exception 'a member removes nothing of a conversation' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION link_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into audit_links (workspace_id, position, audit_id, details_hash, hash)
    values (new.workspace_id, 1, new.audit_id, sha256(''), sha256(''));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION list_workspace_ids()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$ select workspace_id from workspaces order by workspace_id $function$;

CREATE OR REPLACE FUNCTION pending_terms(here uuid, who uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
  begin
    return (
      select json_agg(json_build_object('id', template.template_id, 'version', asked.version, 'name', asked.name,
        'sections', asked.blocked_portal_sections) order by template.position, template.template_id)
      from terms_templates template
      join terms_versions asked on asked.workspace_id = template.workspace_id
        and asked.template_id = template.template_id and asked.version = template.version
      where template.workspace_id = here and template.state = 'published'
        and not exists (
          select from terms_acceptances accepted
          where accepted.workspace_id = here and accepted.member_id = who
            and accepted.template_id = template.template_id and accepted.version >= template.asks_from)
    );
  end $function$;

CREATE OR REPLACE FUNCTION plain_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')) $function$;

CREATE OR REPLACE FUNCTION protect_table(target regclass, reach text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  here constant text := 'workspace_id = scope_workspace()';
  trusted constant text := 'scope_actor() in (''staff'', ''system'')';
  own constant text := format('%s and (%s or (scope_actor() = ''member'' and member_id = scope_member()))', here, trusted);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  case reach
    when 'own' then
      execute format('create policy own on %s using (%s) with check (%s)', target, own, own);
    when 'shared' then
      execute format('create policy read_shared on %s for select using (%s and scope_actor() is not null)', target, here);
      execute format('create policy write_shared on %s using (%s and %s) with check (%s and %s)', target, here, trusted, here, trusted);
    when 'desk' then
      execute format('create policy desk on %s using (%s and %s) with check (%s and %s)', target, here, trusted, here, trusted);
    when 'log' then
      execute format('create policy read_log on %s for select using (%s)', target, own);
      execute format('create policy add_log on %s for insert with check (%s)', target, own);
    else raise exception 'unknown reach %', reach;
  end case;
  if reach = 'log' then
    execute format('grant select, insert on %s to atrium_program', target);
  else
    execute format('grant select, insert, update, delete on %s to atrium_program', target);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION referred_clients()
 RETURNS TABLE(member_id uuid, first_name text, last_name text, customer_number text, status text, live_count integer, demo_count integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select client.member_id, client.first_name, client.last_name, client.customer_number, client.status,
    (count(account.account_id) filter (where account.live_account and not account.deleted))::integer,
    (count(account.account_id) filter (where not account.live_account and not account.deleted))::integer
  from members as seller
  join members as client
    on client.workspace_id = seller.workspace_id and client.referred_by = seller.member_id
  left join trading_accounts as account
    on account.workspace_id = client.workspace_id and account.member_id = client.member_id
  where scope_actor() = 'member'
    and seller.workspace_id = scope_workspace() and seller.member_id = scope_member()
    and seller.type = 'sales_person' and seller.status = 'active'
    and client.workspace_id = scope_workspace()
  group by client.workspace_id, client.member_id
$function$;

CREATE OR REPLACE FUNCTION renew_revision_of_terms()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update workspaces set revision = gen_random_uuid() where workspace_id = coalesce(new.workspace_id, old.workspace_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION renew_workspace_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.revision := gen_random_uuid();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION scope_actor()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('atrium.actor_kind', true), '') $function$;

CREATE OR REPLACE FUNCTION scope_member()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('atrium.member_id', true), '')::uuid $function$;

CREATE OR REPLACE FUNCTION scope_workspace()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('atrium.workspace_id', true), '')::uuid $function$;

CREATE OR REPLACE FUNCTION words_of_member(found members)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
    select distinct left(word, 254) from (
      select regexp_split_to_table(found.sort_name, '\s+')
      union all select regexp_split_to_table(found.sort_name, '[\s\-''’.]+')
      union all select lower(unnest(found.emails || found.email))
      union all select lower(found.customer_number)
      union all select platform_login from trading_accounts
        where workspace_id = found.workspace_id and member_id = found.member_id and not deleted
    ) as words (word) where word <> ''
  $function$;

CREATE OR REPLACE FUNCTION write_member_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  found members;
begin
  select * into found from members where workspace_id = new.workspace_id and member_id = new.member_id;
  if found.member_id is null then return null; end if;
  delete from member_words where workspace_id = new.workspace_id and member_id = new.member_id;
  insert into member_words (workspace_id, member_id, word)
    select found.workspace_id, found.member_id, word from words_of_member(found) as word
    order by word -- In one order, so that neither waits for the other.
    on conflict do nothing;
  return null;
end $function$;

create table account_differences (
  workspace_id uuid not null,
  difference_id uuid not null,
  platform_id uuid not null,
  platform_login text not null,
  account_id uuid,
  kind text not null,
  reason text not null,
  group_name text,
  leverage integer,
  holder text,
  holder_email text,
  state text default 'open'::text not null,
  decision text,
  decided_by uuid,
  decided_at timestamp with time zone,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint account_differences_decision_check CHECK ((decision = ANY (ARRAY['imported'::text, 'archived'::text, 'restored'::text, 'kept'::text, 'vanished'::text]))),
  constraint account_differences_holder_check CHECK ((length(holder) <= 200)),
  constraint account_differences_holder_email_check CHECK ((length(holder_email) <= 254)),
  constraint account_differences_kind_check CHECK ((kind = ANY (ARRAY['unknown_owner'::text, 'gone'::text, 'currency'::text, 'returned'::text, 'fields'::text]))),
  constraint account_differences_platform_login_check CHECK ((platform_login ~ '^[0-9]{1,20}$'::text)),
  constraint account_differences_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
  constraint account_differences_state_check CHECK ((state = ANY (ARRAY['open'::text, 'kept'::text, 'settled'::text]))),
  constraint settled_forgets_person CHECK (((state <> 'settled'::text) OR ((holder IS NULL) AND (holder_email IS NULL)))),
  constraint settled_has_decision CHECK (((state = 'open'::text) = (decision IS NULL))),
  constraint account_differences_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES trading_accounts(workspace_id, account_id),
  constraint account_differences_workspace_id_platform_id_fkey FOREIGN KEY (workspace_id, platform_id) REFERENCES trading_platforms(workspace_id, platform_id),
  constraint account_differences_pkey PRIMARY KEY (workspace_id, difference_id),
  constraint account_differences_workspace_id_platform_id_platform_login_key UNIQUE (workspace_id, platform_id, platform_login, kind)
);
CREATE INDEX account_differences_by_state ON account_differences USING btree (workspace_id, state, first_seen_at, difference_id);
alter table account_differences enable row level security;
alter table account_differences force row level security;
create policy desk on account_differences for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on account_differences to atrium_program;

create table account_figures (
  workspace_id uuid not null,
  account_id uuid not null,
  member_id uuid not null,
  at timestamp with time zone not null,
  balance numeric not null,
  equity numeric not null,
  constraint account_figures_workspace_id_account_id_member_id_fkey FOREIGN KEY (workspace_id, account_id, member_id) REFERENCES trading_accounts(workspace_id, account_id, member_id),
  constraint account_figures_pkey PRIMARY KEY (workspace_id, account_id, at)
);
alter table account_figures enable row level security;
alter table account_figures force row level security;
create policy own on account_figures for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on account_figures to atrium_program;

create table account_openings (
  workspace_id uuid not null,
  opening_id uuid not null,
  member_id uuid not null,
  kind text not null,
  platform_id uuid not null,
  group_name text not null,
  leverage integer not null,
  tag text not null,
  state text not null,
  currency text,
  after_login text,
  lease_until timestamp with time zone not null,
  sent_at timestamp with time zone,
  absent_since timestamp with time zone,
  next_step_at timestamp with time zone not null,
  platform_login text,
  account_id uuid,
  platform_code integer,
  platform_text text,
  last_problem text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  looked_at timestamp with time zone,
  asked_again_at timestamp with time zone,
  constraint account_openings_kind_check CHECK ((kind = ANY (ARRAY['live'::text, 'demo'::text]))),
  constraint account_openings_leverage_check CHECK ((leverage > 0)),
  constraint account_openings_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'sending'::text, 'unknown'::text, 'done'::text, 'rejected'::text, 'not_executed'::text, 'not_opened'::text]))),
  constraint account_openings_tag_check CHECK ((length(tag) = 17)),
  constraint done_has_account CHECK (((state <> 'done'::text) OR ((account_id IS NOT NULL) AND (platform_login IS NOT NULL)))),
  constraint sent_has_currency CHECK (((sent_at IS NULL) OR (currency IS NOT NULL))),
  constraint account_openings_workspace_id_account_id_member_id_fkey FOREIGN KEY (workspace_id, account_id, member_id) REFERENCES trading_accounts(workspace_id, account_id, member_id),
  constraint account_openings_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint account_openings_workspace_id_platform_id_fkey FOREIGN KEY (workspace_id, platform_id) REFERENCES trading_platforms(workspace_id, platform_id),
  constraint account_openings_pkey PRIMARY KEY (workspace_id, opening_id),
  constraint account_openings_workspace_id_account_id_key UNIQUE (workspace_id, account_id),
  constraint account_openings_workspace_id_platform_id_tag_key UNIQUE (workspace_id, platform_id, tag)
);
CREATE INDEX account_openings_by_state ON account_openings USING btree (workspace_id, state, created_at, opening_id);
CREATE INDEX account_openings_due ON account_openings USING btree (workspace_id, next_step_at) WHERE (state = ANY (ARRAY['ready'::text, 'sending'::text, 'unknown'::text]));
CREATE INDEX account_openings_newest ON account_openings USING btree (workspace_id, created_at, opening_id);
CREATE INDEX account_openings_of_member ON account_openings USING btree (workspace_id, member_id, created_at, opening_id);
CREATE UNIQUE INDEX account_openings_under_way ON account_openings USING btree (workspace_id, member_id, kind) WHERE (state = ANY (ARRAY['ready'::text, 'sending'::text, 'unknown'::text]));
alter table account_openings enable row level security;
alter table account_openings force row level security;
create policy own on account_openings for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on account_openings to atrium_program;
CREATE TRIGGER guard_account_opening BEFORE UPDATE ON account_openings FOR EACH ROW EXECUTE FUNCTION guard_account_opening();
CREATE TRIGGER guard_new_account_opening BEFORE INSERT ON account_openings FOR EACH ROW EXECUTE FUNCTION guard_new_account_opening();

create table audit_links (
  workspace_id uuid not null,
  "position" bigint not null,
  audit_id uuid not null,
  details_hash bytea not null,
  hash bytea not null,
  constraint audit_links_details_hash_check CHECK ((length(details_hash) = 32)),
  constraint audit_links_hash_check CHECK ((length(hash) = 32)),
  constraint audit_links_position_check CHECK (("position" > 0)),
  constraint audit_links_workspace_id_audit_id_fkey FOREIGN KEY (workspace_id, audit_id) REFERENCES audit_log(workspace_id, audit_id),
  constraint audit_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint audit_links_pkey PRIMARY KEY (workspace_id, "position"),
  constraint audit_links_workspace_id_audit_id_key UNIQUE (workspace_id, audit_id)
);
alter table audit_links enable row level security;
alter table audit_links force row level security;
create policy add_link on audit_links for insert with check ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy read_links on audit_links for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
grant insert, select on audit_links to atrium_program;
CREATE TRIGGER forge_audit_link BEFORE INSERT ON audit_links FOR EACH ROW EXECUTE FUNCTION forge_audit_link();

create table audit_log (
  workspace_id uuid not null,
  audit_id uuid not null,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor_id uuid,
  member_id uuid,
  action text not null,
  subject_kind text not null,
  subject_id uuid not null,
  before jsonb,
  after jsonb,
  request_id text,
  address inet,
  constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['member'::text, 'staff'::text, 'system'::text]))),
  constraint audit_log_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint audit_log_pkey PRIMARY KEY (workspace_id, audit_id),
  constraint link_audit_entry TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX audit_log_action ON audit_log USING btree (workspace_id, action, at, audit_id);
CREATE INDEX audit_log_actor ON audit_log USING btree (workspace_id, actor_id, at, audit_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_log_at ON audit_log USING btree (workspace_id, at, audit_id);
CREATE INDEX audit_log_member ON audit_log USING btree (workspace_id, member_id, at, audit_id) WHERE (member_id IS NOT NULL);
CREATE INDEX audit_log_subject ON audit_log USING btree (workspace_id, subject_kind, subject_id, audit_id);
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy add_log on audit_log for insert with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
create policy erase_details on audit_log for update to the owner using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
create policy read_log on audit_log for select using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant insert, select on audit_log to atrium_program;
CREATE CONSTRAINT TRIGGER link_audit_entry AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION link_audit_entry();

create table balance_transactions (
  workspace_id uuid not null,
  transaction_id uuid not null,
  ticket bigint not null,
  member_id uuid not null,
  account_id uuid not null,
  type text not null,
  amount numeric not null,
  currency text not null,
  state text not null,
  source text not null,
  payment_method text not null,
  comment text default ''::text not null,
  origin text,
  origin_id uuid,
  destination text,
  destination_id uuid,
  platform_ticket text,
  rejection_reason text,
  rejection_note text,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  fee numeric default 0 not null,
  destination_text text,
  coin text,
  approvals_needed smallint default 1 not null,
  approval_round smallint default 1 not null,
  asked_by uuid,
  debited_at timestamp with time zone,
  paid_at timestamp with time zone,
  payout_reference text,
  asked_from inet,
  asked_at timestamp with time zone,
  constraint approved_has_ticket CHECK (((state <> 'approved'::text) OR (platform_ticket IS NOT NULL))),
  constraint balance_transactions_amount_check CHECK ((amount > (0)::numeric)),
  constraint balance_transactions_approvals_needed_check CHECK (((approvals_needed >= 1) AND (approvals_needed <= 2))),
  constraint balance_transactions_fee_check CHECK ((fee >= (0)::numeric)),
  constraint balance_transactions_source_check CHECK ((source = ANY (ARRAY['client'::text, 'other'::text]))),
  constraint balance_transactions_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'crediting'::text, 'debiting'::text, 'checking'::text, 'paying'::text, 'returning'::text, 'approved'::text, 'rejected'::text, 'cancelled'::text]))),
  constraint balance_transactions_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text]))),
  constraint debited_has_ticket CHECK (((state <> ALL (ARRAY['paying'::text, 'returning'::text])) OR (platform_ticket IS NOT NULL))),
  constraint fee_below_amount CHECK ((fee < amount)),
  constraint rejected_has_reason CHECK (((state <> 'rejected'::text) OR (rejection_reason IS NOT NULL))),
  constraint balance_transactions_workspace_id_account_id_member_id_fkey FOREIGN KEY (workspace_id, account_id, member_id) REFERENCES trading_accounts(workspace_id, account_id, member_id),
  constraint balance_transactions_workspace_id_asked_by_fkey FOREIGN KEY (workspace_id, asked_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint balance_transactions_workspace_id_decided_by_fkey FOREIGN KEY (workspace_id, decided_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint balance_transactions_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint balance_transactions_pkey PRIMARY KEY (workspace_id, transaction_id),
  constraint guard_returned_transfer TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint balance_transactions_workspace_id_ticket_key UNIQUE (workspace_id, ticket),
  constraint balance_transactions_workspace_id_transaction_id_member_id_key UNIQUE (workspace_id, transaction_id, member_id)
);
CREATE INDEX balance_transactions_account ON balance_transactions USING btree (workspace_id, account_id, created_at DESC, transaction_id DESC);
CREATE INDEX balance_transactions_debited ON balance_transactions USING btree (workspace_id, account_id, debited_at) WHERE ((type = 'withdrawal'::text) AND (debited_at IS NOT NULL));
CREATE INDEX balance_transactions_newest ON balance_transactions USING btree (workspace_id, type, created_at, transaction_id);
CREATE INDEX balance_transactions_paid ON balance_transactions USING btree (workspace_id, paid_at) WHERE (paid_at IS NOT NULL);
CREATE INDEX balance_transactions_payout ON balance_transactions USING btree (workspace_id, payout_reference) WHERE (payout_reference IS NOT NULL);
CREATE INDEX balance_transactions_queue ON balance_transactions USING btree (workspace_id, type, state, created_at, transaction_id);
CREATE INDEX balance_transactions_reserved ON balance_transactions USING btree (workspace_id, account_id) WHERE ((type = 'withdrawal'::text) AND (state = ANY (ARRAY['pending'::text, 'debiting'::text, 'checking'::text])));
CREATE INDEX balance_transactions_settled ON balance_transactions USING btree (workspace_id, COALESCE(decided_at, created_at)) WHERE (state = 'approved'::text);
CREATE INDEX balance_transactions_shown ON balance_transactions USING btree (workspace_id, member_id, created_at DESC, transaction_id DESC) INCLUDE (state);
alter table balance_transactions enable row level security;
alter table balance_transactions force row level security;
create policy own on balance_transactions for all using ((workspace_id = ( SELECT scope_workspace() AS scope_workspace)) AND CASE ( SELECT scope_actor() AS scope_actor) WHEN 'member'::text THEN (member_id = ( SELECT scope_member() AS scope_member)) WHEN 'staff'::text THEN true WHEN 'system'::text THEN true ELSE false END) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on balance_transactions to atrium_program;
CREATE TRIGGER guard_balance_transaction BEFORE UPDATE ON balance_transactions FOR EACH ROW EXECUTE FUNCTION guard_balance_transaction();
CREATE TRIGGER guard_new_balance_transaction BEFORE INSERT ON balance_transactions FOR EACH ROW EXECUTE FUNCTION guard_new_balance_transaction();
CREATE TRIGGER guard_paid_once BEFORE UPDATE ON balance_transactions FOR EACH ROW EXECUTE FUNCTION guard_paid_once();
CREATE TRIGGER guard_practice_money BEFORE INSERT OR UPDATE OF payment_method, account_id ON balance_transactions FOR EACH ROW EXECUTE FUNCTION guard_practice_money();
CREATE CONSTRAINT TRIGGER guard_returned_transfer AFTER UPDATE ON balance_transactions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.type = 'deposit'::text) AND (new.state = ANY (ARRAY['rejected'::text, 'cancelled'::text])) AND (old.state = 'pending'::text) AND (old.approval_round > 1))) EXECUTE FUNCTION guard_returned_transfer();

create table bank_accounts (
  workspace_id uuid not null,
  bank_account_id uuid not null,
  member_id uuid not null,
  currency text not null,
  account_holder text not null,
  bank_account text,
  iban_number text,
  swift text not null,
  bank_name text not null,
  country_code character(2),
  address_line_1 text,
  city text,
  state text,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  changed_at timestamp with time zone,
  usable_from timestamp with time zone not null,
  bank_branch text,
  postcode text,
  routing_number text,
  constraint bank_accounts_check CHECK (((bank_account IS NOT NULL) OR (iban_number IS NOT NULL))),
  constraint bank_accounts_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint bank_accounts_pkey PRIMARY KEY (workspace_id, bank_account_id),
  constraint bank_accounts_owner UNIQUE (workspace_id, bank_account_id, member_id)
);
CREATE INDEX bank_accounts_member ON bank_accounts USING btree (workspace_id, member_id);
alter table bank_accounts enable row level security;
alter table bank_accounts force row level security;
create policy own on bank_accounts for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on bank_accounts to atrium_program;
CREATE TRIGGER guard_destination BEFORE UPDATE ON bank_accounts FOR EACH ROW EXECUTE FUNCTION guard_destination();

create table canned_replies (
  workspace_id uuid not null,
  reply_id uuid not null,
  name text not null,
  content text not null,
  created_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint canned_replies_content_check CHECK (((length(content) >= 1) AND (length(content) <= 5000))),
  constraint canned_replies_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint canned_replies_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint canned_replies_pkey PRIMARY KEY (workspace_id, reply_id)
);
CREATE UNIQUE INDEX canned_replies_name ON canned_replies USING btree (workspace_id, lower(name)) WHERE (archived_at IS NULL);
alter table canned_replies enable row level security;
alter table canned_replies force row level security;
create policy desk on canned_replies for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on canned_replies to atrium_program;

create table company_bank_accounts (
  workspace_id uuid not null,
  company_bank_account_id uuid not null,
  currency text not null,
  account_holder text not null,
  bank_account text,
  iban_number text,
  swift text,
  bank_name text not null,
  address_line_1 text,
  identifier text,
  notes text,
  sort_code text,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint company_bank_accounts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint company_bank_accounts_pkey PRIMARY KEY (workspace_id, company_bank_account_id)
);
alter table company_bank_accounts enable row level security;
alter table company_bank_accounts force row level security;
create policy read_shared on company_bank_accounts for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on company_bank_accounts for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on company_bank_accounts to atrium_program;

create table counters (
  workspace_id uuid not null,
  name text not null,
  value bigint not null,
  constraint counters_value_check CHECK ((value >= 0)),
  constraint counters_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint counters_pkey PRIMARY KEY (workspace_id, name)
);
alter table counters enable row level security;
alter table counters force row level security;
create policy count_here on counters for all using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL)) with check ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
grant insert, select, update on counters to atrium_program;

create table deposit_orders (
  workspace_id uuid not null,
  order_id uuid not null,
  member_id uuid not null,
  account_id uuid not null,
  provider_id uuid not null,
  transaction_id uuid not null,
  attempt text not null,
  reference text,
  amount numeric not null,
  fee numeric not null,
  charge numeric not null,
  currency text not null,
  state text not null,
  hand_off jsonb,
  problem text,
  staff_reason text,
  next_look_at timestamp with time zone not null,
  looks integer default 0 not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  coin text,
  seen_at timestamp with time zone,
  card_type text,
  pending_since timestamp with time zone,
  constraint charge_is_amount_and_fee CHECK ((charge = (amount + fee))),
  constraint deposit_orders_amount_check CHECK ((amount > (0)::numeric)),
  constraint deposit_orders_attempt_check CHECK ((attempt ~ '^[a-z0-9-]{8,40}$'::text)),
  constraint deposit_orders_card_type_check CHECK ((card_type = ANY (ARRAY['amex'::text, 'visa'::text, 'discover'::text, 'mastercard'::text, 'jcb'::text, 'maestro'::text, 'diners'::text]))),
  constraint deposit_orders_coin_check CHECK ((coin ~ '^[A-Za-z0-9.]{1,20}$'::text)),
  constraint deposit_orders_fee_check CHECK ((fee >= (0)::numeric)),
  constraint deposit_orders_state_check CHECK ((state = ANY (ARRAY['created'::text, 'checking'::text, 'handed_over'::text, 'paid'::text, 'declined'::text, 'cancelled'::text, 'expired'::text, 'for_staff'::text]))),
  constraint staff_have_a_reason CHECK (((state <> 'for_staff'::text) OR (staff_reason IS NOT NULL))),
  constraint deposit_orders_workspace_id_account_id_member_id_fkey FOREIGN KEY (workspace_id, account_id, member_id) REFERENCES trading_accounts(workspace_id, account_id, member_id),
  constraint deposit_orders_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint deposit_orders_workspace_id_provider_id_fkey FOREIGN KEY (workspace_id, provider_id) REFERENCES payment_providers(workspace_id, provider_id),
  constraint deposit_orders_workspace_id_transaction_id_member_id_fkey FOREIGN KEY (workspace_id, transaction_id, member_id) REFERENCES balance_transactions(workspace_id, transaction_id, member_id),
  constraint deposit_orders_pkey PRIMARY KEY (workspace_id, order_id),
  constraint deposit_orders_workspace_id_order_id_member_id_key UNIQUE (workspace_id, order_id, member_id),
  constraint deposit_orders_workspace_id_provider_id_attempt_key UNIQUE (workspace_id, provider_id, attempt),
  constraint deposit_orders_workspace_id_provider_id_reference_key UNIQUE (workspace_id, provider_id, reference)
);
CREATE INDEX deposit_orders_due ON deposit_orders USING btree (workspace_id, next_look_at) WHERE (state = ANY (ARRAY['created'::text, 'checking'::text, 'handed_over'::text]));
CREATE INDEX deposit_orders_ended ON deposit_orders USING btree (workspace_id, ended_at);
CREATE INDEX deposit_orders_member ON deposit_orders USING btree (workspace_id, member_id, created_at DESC);
CREATE INDEX deposit_orders_of_provider ON deposit_orders USING btree (workspace_id, provider_id, state);
CREATE INDEX deposit_orders_staff ON deposit_orders USING btree (workspace_id, created_at) WHERE (state = 'for_staff'::text);
CREATE UNIQUE INDEX deposit_orders_transaction ON deposit_orders USING btree (workspace_id, transaction_id);
alter table deposit_orders enable row level security;
alter table deposit_orders force row level security;
create policy own on deposit_orders for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on deposit_orders to atrium_program;
CREATE TRIGGER guard_deposit_order BEFORE UPDATE ON deposit_orders FOR EACH ROW EXECUTE FUNCTION guard_deposit_order();
CREATE TRIGGER guard_new_deposit_order BEFORE INSERT ON deposit_orders FOR EACH ROW EXECUTE FUNCTION guard_new_deposit_order();
CREATE TRIGGER guard_order_coin BEFORE UPDATE ON deposit_orders FOR EACH ROW EXECUTE FUNCTION guard_order_coin();

create table document_events (
  workspace_id uuid not null,
  event_id uuid not null,
  member_id uuid not null,
  document_id uuid,
  document_request_id uuid,
  at timestamp with time zone not null,
  event text not null,
  actor_kind text not null,
  staff_id uuid,
  note text,
  constraint document_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['member'::text, 'staff'::text, 'system'::text]))),
  constraint document_events_check CHECK (((staff_id IS NULL) OR (actor_kind = 'staff'::text))),
  constraint document_events_workspace_id_document_id_member_id_fkey FOREIGN KEY (workspace_id, document_id, member_id) REFERENCES documents(workspace_id, document_id, member_id),
  constraint document_events_workspace_id_document_request_id_member_id_fkey FOREIGN KEY (workspace_id, document_request_id, member_id) REFERENCES document_requests(workspace_id, document_request_id, member_id),
  constraint document_events_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint document_events_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint document_events_pkey PRIMARY KEY (workspace_id, event_id)
);
CREATE INDEX document_events_member ON document_events USING btree (workspace_id, member_id, event_id);
alter table document_events enable row level security;
alter table document_events force row level security;
create policy own on document_events for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on document_events to atrium_program;
CREATE TRIGGER guard_document_event BEFORE UPDATE ON document_events FOR EACH ROW EXECUTE FUNCTION guard_document_event();

create table document_requests (
  workspace_id uuid not null,
  document_request_id uuid not null,
  member_id uuid not null,
  file_category_id uuid not null,
  valid_document_id uuid,
  note text not null,
  state text not null,
  requested_by uuid,
  requested_at timestamp with time zone not null,
  constraint document_requests_note_check CHECK ((length(note) <= 500)),
  constraint document_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'withdrawn'::text]))),
  constraint document_requests_workspace_id_file_category_id_fkey FOREIGN KEY (workspace_id, file_category_id) REFERENCES file_categories(workspace_id, file_category_id),
  constraint document_requests_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint document_requests_workspace_id_requested_by_fkey FOREIGN KEY (workspace_id, requested_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint document_requests_workspace_id_valid_document_id_file_cate_fkey FOREIGN KEY (workspace_id, valid_document_id, file_category_id) REFERENCES valid_documents(workspace_id, valid_document_id, file_category_id),
  constraint document_requests_pkey PRIMARY KEY (workspace_id, document_request_id),
  constraint document_requests_workspace_id_document_request_id_member_i_key UNIQUE (workspace_id, document_request_id, member_id)
);
CREATE INDEX document_requests_member ON document_requests USING btree (workspace_id, member_id, requested_at);
alter table document_requests enable row level security;
alter table document_requests force row level security;
create policy own on document_requests for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on document_requests to atrium_program;

create table documents (
  workspace_id uuid not null,
  document_id uuid not null,
  member_id uuid not null,
  file_category_id uuid not null,
  valid_document_id uuid,
  media_id uuid not null,
  document_request_id uuid,
  title text not null,
  description text,
  status text not null,
  unverify_reason text,
  reject_reason text,
  expires_on text,
  expiry_told_for text,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint documents_description_check CHECK (((length(description) >= 1) AND (length(description) <= 500))),
  constraint documents_expires_on_check CHECK ((expires_on ~ '^\d{4}-\d{2}-\d{2}$'::text)),
  constraint documents_expiry_told_for_check CHECK ((expiry_told_for ~ '^\d{4}-\d{2}-\d{2}$'::text)),
  constraint documents_reject_reason_check CHECK (((length(reject_reason) >= 1) AND (length(reject_reason) <= 500))),
  constraint documents_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'rejected'::text, 'in_verification'::text, 'approved'::text]))),
  constraint documents_title_check CHECK (((length(title) >= 1) AND (length(title) <= 255))),
  constraint documents_unverify_reason_check CHECK (((length(unverify_reason) >= 1) AND (length(unverify_reason) <= 500))),
  constraint pending_has_reason CHECK (((status <> 'pending'::text) OR (unverify_reason IS NOT NULL))),
  constraint rejected_has_reason CHECK (((status <> 'rejected'::text) OR (reject_reason IS NOT NULL))),
  constraint verdict_has_moment CHECK (((status = 'in_verification'::text) OR (decided_at IS NOT NULL))),
  constraint documents_workspace_id_decided_by_fkey FOREIGN KEY (workspace_id, decided_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint documents_workspace_id_document_request_id_member_id_fkey FOREIGN KEY (workspace_id, document_request_id, member_id) REFERENCES document_requests(workspace_id, document_request_id, member_id),
  constraint documents_workspace_id_file_category_id_fkey FOREIGN KEY (workspace_id, file_category_id) REFERENCES file_categories(workspace_id, file_category_id),
  constraint documents_workspace_id_media_id_member_id_fkey FOREIGN KEY (workspace_id, media_id, member_id) REFERENCES media(workspace_id, media_id, member_id),
  constraint documents_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint documents_workspace_id_valid_document_id_file_category_id_fkey FOREIGN KEY (workspace_id, valid_document_id, file_category_id) REFERENCES valid_documents(workspace_id, valid_document_id, file_category_id),
  constraint documents_pkey PRIMARY KEY (workspace_id, document_id),
  constraint documents_workspace_id_document_id_member_id_key UNIQUE (workspace_id, document_id, member_id),
  constraint documents_workspace_id_media_id_key UNIQUE (workspace_id, media_id)
);
CREATE INDEX documents_expiry ON documents USING btree (workspace_id, expires_on) WHERE ((status = 'approved'::text) AND (expires_on IS NOT NULL));
CREATE INDEX documents_member ON documents USING btree (workspace_id, member_id, created_at DESC, document_id DESC);
CREATE INDEX documents_queue ON documents USING btree (workspace_id, status, created_at, document_id);
alter table documents enable row level security;
alter table documents force row level security;
create policy own on documents for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on documents to atrium_program;
CREATE TRIGGER guard_document BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION guard_document();
CREATE TRIGGER guard_new_document BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION guard_new_document();

create table file_categories (
  workspace_id uuid not null,
  file_category_id uuid not null,
  kyc_category_id uuid,
  name text not null,
  description text default ''::text not null,
  required boolean not null,
  "position" integer not null,
  created_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  by_identity_check boolean default false not null,
  constraint file_categories_description_check CHECK ((length(description) <= 500)),
  constraint file_categories_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint file_categories_position_check CHECK (("position" >= 0)),
  constraint file_categories_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint file_categories_workspace_id_kyc_category_id_fkey FOREIGN KEY (workspace_id, kyc_category_id) REFERENCES kyc_categories(workspace_id, kyc_category_id),
  constraint file_categories_pkey PRIMARY KEY (workspace_id, file_category_id)
);
CREATE INDEX file_categories_set ON file_categories USING btree (workspace_id, kyc_category_id, "position");
alter table file_categories enable row level security;
alter table file_categories force row level security;
create policy read_shared on file_categories for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on file_categories for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on file_categories to atrium_program;

create table form_answer_files (
  workspace_id uuid not null,
  media_id uuid not null,
  answers_id uuid not null,
  member_id uuid not null,
  input_name text not null,
  constraint form_answer_files_workspace_id_answers_id_member_id_fkey FOREIGN KEY (workspace_id, answers_id, member_id) REFERENCES form_answers(workspace_id, answers_id, member_id),
  constraint form_answer_files_workspace_id_media_id_member_id_fkey FOREIGN KEY (workspace_id, media_id, member_id) REFERENCES media(workspace_id, media_id, member_id),
  constraint form_answer_files_pkey PRIMARY KEY (workspace_id, media_id)
);
CREATE INDEX form_answer_files_of ON form_answer_files USING btree (workspace_id, answers_id);
alter table form_answer_files enable row level security;
alter table form_answer_files force row level security;
create policy own on form_answer_files for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on form_answer_files to atrium_program;
CREATE TRIGGER guard_form_answers BEFORE DELETE OR UPDATE ON form_answer_files FOR EACH ROW EXECUTE FUNCTION guard_form_answers();

create table form_answers (
  workspace_id uuid not null,
  answers_id uuid not null,
  form_id uuid not null,
  version integer not null,
  member_id uuid not null,
  answers jsonb not null,
  sent jsonb not null,
  score bigint,
  band jsonb,
  draft_id uuid,
  request_id uuid,
  submitted_at timestamp with time zone not null,
  constraint form_answers_workspace_id_form_id_version_fkey FOREIGN KEY (workspace_id, form_id, version) REFERENCES form_versions(workspace_id, form_id, version),
  constraint form_answers_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint form_answers_workspace_id_request_id_member_id_fkey FOREIGN KEY (workspace_id, request_id, member_id) REFERENCES requests(workspace_id, request_id, member_id),
  constraint form_answers_pkey PRIMARY KEY (workspace_id, answers_id),
  constraint form_answers_workspace_id_answers_id_member_id_key UNIQUE (workspace_id, answers_id, member_id),
  constraint form_answers_workspace_id_draft_id_key UNIQUE (workspace_id, draft_id),
  constraint form_answers_workspace_id_request_id_key UNIQUE (workspace_id, request_id)
);
CREATE INDEX form_answers_of_form ON form_answers USING btree (workspace_id, form_id, submitted_at, answers_id) INCLUDE (member_id);
CREATE INDEX form_answers_of_member ON form_answers USING btree (workspace_id, member_id, form_id, submitted_at);
alter table form_answers enable row level security;
alter table form_answers force row level security;
create policy own on form_answers for all using ((workspace_id = ( SELECT scope_workspace() AS scope_workspace)) AND CASE ( SELECT scope_actor() AS scope_actor) WHEN 'member'::text THEN (member_id = ( SELECT scope_member() AS scope_member)) WHEN 'staff'::text THEN true WHEN 'system'::text THEN true ELSE false END) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on form_answers to atrium_program;
CREATE TRIGGER guard_form_answers BEFORE DELETE OR UPDATE ON form_answers FOR EACH ROW EXECUTE FUNCTION guard_form_answers();

create table form_drafts (
  workspace_id uuid not null,
  member_id uuid not null,
  form_id uuid not null,
  draft_id uuid not null,
  version integer not null,
  answers jsonb not null,
  media_ids uuid[] default '{}'::uuid[] not null,
  step integer not null,
  revision integer not null,
  saved_at timestamp with time zone not null,
  constraint form_drafts_revision_check CHECK ((revision > 0)),
  constraint form_drafts_step_check CHECK (((step >= 0) AND (step <= 20))),
  constraint form_drafts_workspace_id_form_id_version_fkey FOREIGN KEY (workspace_id, form_id, version) REFERENCES form_versions(workspace_id, form_id, version),
  constraint form_drafts_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint form_drafts_pkey PRIMARY KEY (workspace_id, member_id, form_id),
  constraint form_drafts_workspace_id_draft_id_key UNIQUE (workspace_id, draft_id)
);
CREATE INDEX form_drafts_old ON form_drafts USING btree (workspace_id, saved_at);
alter table form_drafts enable row level security;
alter table form_drafts force row level security;
create policy own on form_drafts for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on form_drafts to atrium_program;

create table form_versions (
  workspace_id uuid not null,
  form_id uuid not null,
  version integer not null,
  definition jsonb not null,
  made_at timestamp with time zone not null,
  made_by uuid,
  made_by_name text,
  constraint form_versions_version_check CHECK ((version > 0)),
  constraint form_versions_workspace_id_form_id_fkey FOREIGN KEY (workspace_id, form_id) REFERENCES forms(workspace_id, form_id),
  constraint form_versions_workspace_id_made_by_fkey FOREIGN KEY (workspace_id, made_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint form_versions_pkey PRIMARY KEY (workspace_id, form_id, version)
);
alter table form_versions enable row level security;
alter table form_versions force row level security;
create policy read_shared on form_versions for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on form_versions for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on form_versions to atrium_program;
CREATE TRIGGER guard_form_version BEFORE DELETE OR UPDATE ON form_versions FOR EACH ROW EXECUTE FUNCTION guard_form_version();

create table forms (
  workspace_id uuid not null,
  form_id uuid not null,
  name text not null,
  show_on text,
  is_request boolean not null,
  category text,
  vendors text[] default '{}'::text[] not null,
  departments text[] default '{}'::text[] not null,
  current_version integer not null,
  created_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint forms_category_check CHECK (((length(category) >= 1) AND (length(category) <= 80))),
  constraint forms_current_version_check CHECK ((current_version > 0)),
  constraint forms_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint forms_show_on_check CHECK ((show_on = 'members-portal'::text)),
  constraint forms_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint forms_workspace_id_form_id_current_version_fkey FOREIGN KEY (workspace_id, form_id, current_version) REFERENCES form_versions(workspace_id, form_id, version) DEFERRABLE INITIALLY DEFERRED,
  constraint forms_pkey PRIMARY KEY (workspace_id, form_id)
);
alter table forms enable row level security;
alter table forms force row level security;
create policy read_shared on forms for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on forms for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on forms to atrium_program;
CREATE TRIGGER guard_form BEFORE UPDATE ON forms FOR EACH ROW EXECUTE FUNCTION guard_form();

create table fund_accounts (
  workspace_id uuid not null,
  fund_account_id uuid not null,
  member_id uuid not null,
  type text not null,
  name text not null,
  provider text not null,
  preferred_currency text not null,
  address_id text not null,
  notes text,
  qr_media_id uuid,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone,
  usable_from timestamp with time zone not null,
  removed_at timestamp with time zone,
  address_tag text,
  constraint fund_accounts_type_check CHECK ((type = ANY (ARRAY['other'::text, 'crypto'::text]))),
  constraint fund_accounts_qr FOREIGN KEY (workspace_id, qr_media_id, member_id) REFERENCES media(workspace_id, media_id, member_id),
  constraint fund_accounts_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint fund_accounts_pkey PRIMARY KEY (workspace_id, fund_account_id),
  constraint fund_accounts_owner UNIQUE (workspace_id, fund_account_id, member_id)
);
CREATE INDEX fund_accounts_member ON fund_accounts USING btree (workspace_id, member_id);
CREATE INDEX fund_accounts_qr ON fund_accounts USING btree (workspace_id, qr_media_id) WHERE (qr_media_id IS NOT NULL);
alter table fund_accounts enable row level security;
alter table fund_accounts force row level security;
create policy own on fund_accounts for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on fund_accounts to atrium_program;
CREATE TRIGGER guard_destination BEFORE UPDATE ON fund_accounts FOR EACH ROW EXECUTE FUNCTION guard_destination();

create table identity_checks (
  workspace_id uuid not null,
  check_id uuid not null,
  member_id uuid not null,
  vendor_id uuid not null,
  applicant_id text,
  state text not null,
  reason text,
  reported_at timestamp with time zone,
  created_at timestamp with time zone not null,
  paused boolean default false not null,
  constraint identity_checks_applicant_id_check CHECK (((length(applicant_id) >= 1) AND (length(applicant_id) <= 100))),
  constraint identity_checks_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint identity_checks_state_check CHECK ((state = ANY (ARRAY['started'::text, 'waiting'::text, 'retry'::text, 'approved'::text, 'rejected'::text]))),
  constraint identity_checks_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint identity_checks_workspace_id_vendor_id_fkey FOREIGN KEY (workspace_id, vendor_id) REFERENCES identity_vendors(workspace_id, vendor_id),
  constraint identity_checks_pkey PRIMARY KEY (workspace_id, check_id),
  constraint identity_checks_workspace_id_member_id_vendor_id_key UNIQUE (workspace_id, member_id, vendor_id)
);
alter table identity_checks enable row level security;
alter table identity_checks force row level security;
create policy own on identity_checks for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on identity_checks to atrium_program;
CREATE TRIGGER guard_identity_check BEFORE UPDATE ON identity_checks FOR EACH ROW EXECUTE FUNCTION guard_identity_check();
CREATE TRIGGER guard_new_identity_check BEFORE INSERT ON identity_checks FOR EACH ROW EXECUTE FUNCTION guard_new_identity_check();

create table identity_notifications (
  workspace_id uuid not null,
  notification_id uuid not null,
  vendor_id uuid not null,
  content_id bytea not null,
  headers jsonb not null,
  body bytea not null,
  received_at timestamp with time zone not null,
  verdict text not null,
  read_at timestamp with time zone,
  cleared_at timestamp with time zone,
  check_id uuid,
  constraint identity_notifications_content_id_check CHECK ((length(content_id) = 32)),
  constraint identity_notifications_verdict_check CHECK ((verdict = ANY (ARRAY['unread'::text, 'applied'::text, 'late'::text, 'no_check'::text, 'of_no_meaning'::text, 'vendor_off'::text, 'unsigned'::text, 'forged'::text, 'unreadable'::text]))),
  constraint identity_notifications_workspace_id_vendor_id_fkey FOREIGN KEY (workspace_id, vendor_id) REFERENCES identity_vendors(workspace_id, vendor_id),
  constraint identity_notifications_pkey PRIMARY KEY (workspace_id, notification_id),
  constraint identity_notifications_workspace_id_vendor_id_content_id_key UNIQUE (workspace_id, vendor_id, content_id)
);
CREATE INDEX identity_notifications_check ON identity_notifications USING btree (workspace_id, check_id) WHERE (check_id IS NOT NULL);
CREATE INDEX identity_notifications_to_clear ON identity_notifications USING btree (workspace_id, received_at) WHERE (cleared_at IS NULL);
alter table identity_notifications enable row level security;
alter table identity_notifications force row level security;
create policy desk on identity_notifications for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on identity_notifications to atrium_program;

create table identity_vendors (
  workspace_id uuid not null,
  vendor_id uuid not null,
  app_uid text not null,
  enabled boolean not null,
  settings jsonb not null,
  sealed_secret bytea not null,
  version integer default 0 not null,
  created_at timestamp with time zone not null,
  constraint identity_vendors_app_uid_check CHECK (((length(app_uid) >= 1) AND (length(app_uid) <= 40))),
  constraint identity_vendors_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint identity_vendors_pkey PRIMARY KEY (workspace_id, vendor_id),
  constraint identity_vendors_workspace_id_app_uid_key UNIQUE (workspace_id, app_uid)
);
CREATE UNIQUE INDEX identity_vendors_enabled ON identity_vendors USING btree (workspace_id) WHERE enabled;
alter table identity_vendors enable row level security;
alter table identity_vendors force row level security;
create policy desk on identity_vendors for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on identity_vendors to atrium_program;

create table known_devices (
  workspace_id uuid not null,
  device_id uuid not null,
  device_hash bytea not null,
  member_id uuid,
  staff_id uuid,
  last_used_at timestamp with time zone not null,
  constraint known_devices_check CHECK (((member_id IS NULL) <> (staff_id IS NULL))),
  constraint known_devices_device_hash_check CHECK ((length(device_hash) = 32)),
  constraint known_devices_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint known_devices_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint known_devices_pkey PRIMARY KEY (workspace_id, device_id),
  constraint known_devices_workspace_id_device_hash_member_id_key UNIQUE (workspace_id, device_hash, member_id),
  constraint known_devices_workspace_id_device_hash_staff_id_key UNIQUE (workspace_id, device_hash, staff_id)
);
CREATE INDEX known_devices_member ON known_devices USING btree (workspace_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX known_devices_staff ON known_devices USING btree (workspace_id, staff_id) WHERE (staff_id IS NOT NULL);
CREATE INDEX known_devices_use ON known_devices USING btree (workspace_id, last_used_at);
alter table known_devices enable row level security;
alter table known_devices force row level security;
create policy own on known_devices for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on known_devices to atrium_program;

create table kyc_categories (
  workspace_id uuid not null,
  kyc_category_id uuid not null,
  name text not null,
  "position" integer not null,
  created_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint kyc_categories_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint kyc_categories_position_check CHECK (("position" >= 0)),
  constraint kyc_categories_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint kyc_categories_pkey PRIMARY KEY (workspace_id, kyc_category_id)
);
alter table kyc_categories enable row level security;
alter table kyc_categories force row level security;
create policy read_shared on kyc_categories for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on kyc_categories for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on kyc_categories to atrium_program;

create table ledger_checks (
  workspace_id uuid not null,
  checked_at timestamp with time zone not null,
  walked_to uuid,
  constraint ledger_checks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint ledger_checks_pkey PRIMARY KEY (workspace_id)
);
alter table ledger_checks enable row level security;
alter table ledger_checks force row level security;
create policy desk on ledger_checks for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on ledger_checks to atrium_program;

create table ledger_findings (
  workspace_id uuid not null,
  kind text not null,
  subject text not null,
  detail text not null,
  found_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  platform_id uuid,
  platform_login text,
  constraint ledger_findings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint ledger_findings_pkey PRIMARY KEY (workspace_id, kind, subject)
);
alter table ledger_findings enable row level security;
alter table ledger_findings force row level security;
create policy desk on ledger_findings for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on ledger_findings to atrium_program;

create table mails (
  workspace_id uuid not null,
  mail_id uuid not null,
  member_id uuid,
  recipient text not null,
  subject text not null,
  sealed_content bytea,
  state text default 'queued'::text not null,
  attempts smallint default 0 not null,
  unknown_outcomes smallint default 0 not null,
  lease_until timestamp with time zone,
  last_problem text,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  dedupe_key text,
  has_link boolean default false not null,
  tries_before smallint default 0 not null,
  left_at timestamp with time zone,
  next_try_at timestamp with time zone,
  keeps_recipient boolean default false not null,
  choice text,
  constraint mails_check1 CHECK (((state = 'sending'::text) = (lease_until IS NOT NULL))),
  constraint mails_check2 CHECK (((state = ANY (ARRAY['queued'::text, 'sending'::text])) = (settled_at IS NULL))),
  constraint mails_choice_check CHECK (((length(choice) >= 1) AND (length(choice) <= 40))),
  constraint mails_content CHECK (
CASE
    WHEN (state = ANY (ARRAY['queued'::text, 'sending'::text, 'kept'::text])) THEN (sealed_content IS NOT NULL)
    WHEN ((state = ANY (ARRAY['sent'::text, 'declined'::text])) OR (left_at IS NOT NULL) OR has_link) THEN (sealed_content IS NULL)
    ELSE true
END),
  constraint mails_dedupe_key_check CHECK (((length(dedupe_key) >= 1) AND (length(dedupe_key) <= 300))),
  constraint mails_left CHECK (((left_at IS NULL) OR (state = ANY (ARRAY['failed'::text, 'unknown'::text])))),
  constraint mails_recipient_check CHECK ((length(recipient) <= 254)),
  constraint mails_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'kept'::text, 'failed'::text, 'unknown'::text, 'declined'::text]))),
  constraint mails_subject_check CHECK ((length(subject) <= 200)),
  constraint mails_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint mails_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint mails_pkey PRIMARY KEY (workspace_id, mail_id)
);
CREATE INDEX mails_member ON mails USING btree (workspace_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX mails_newest ON mails USING btree (workspace_id, created_at DESC);
CREATE UNIQUE INDEX mails_once ON mails USING btree (workspace_id, dedupe_key) WHERE (dedupe_key IS NOT NULL);
CREATE INDEX mails_open ON mails USING btree (workspace_id, created_at) WHERE (state = ANY (ARRAY['queued'::text, 'sending'::text]));
CREATE INDEX mails_settled ON mails USING btree (workspace_id, settled_at) WHERE (settled_at IS NOT NULL);
CREATE INDEX mails_undelivered ON mails USING btree (workspace_id, settled_at DESC, mail_id DESC) WHERE ((state = ANY (ARRAY['failed'::text, 'unknown'::text])) AND (left_at IS NULL));
alter table mails enable row level security;
alter table mails force row level security;
create policy add_own on mails for insert with check ((workspace_id = scope_workspace()) AND (scope_actor() = 'member'::text) AND (member_id = scope_member()));
create policy desk on mails for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on mails to atrium_program;

create table media (
  workspace_id uuid not null,
  media_id uuid not null,
  member_id uuid not null,
  purpose text not null,
  kind text not null,
  name text not null,
  extension text not null,
  content_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  storage_key text not null,
  created_at timestamp with time zone not null,
  width integer,
  height integer,
  small_key text,
  scan text default 'none'::text not null,
  sent_bytes bigint,
  constraint media_drawn CHECK ((((width IS NULL) = (height IS NULL)) AND ((small_key IS NULL) OR (width IS NOT NULL)))),
  constraint media_height_check CHECK ((height > 0)),
  constraint media_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'file'::text, 'video'::text]))),
  constraint media_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint media_purpose_check CHECK ((purpose = ANY (ARRAY['receipt'::text, 'document'::text, 'picture'::text, 'qr'::text, 'ticket'::text, 'video'::text, 'form'::text]))),
  constraint media_scan_check CHECK ((scan = ANY (ARRAY['none'::text, 'clean'::text, 'waiting'::text, 'infected'::text]))),
  constraint media_sent_bytes_check CHECK ((sent_bytes > 0)),
  constraint media_sha256_check CHECK ((length(sha256) = 32)),
  constraint media_size_bytes_check CHECK ((size_bytes > 0)),
  constraint media_small_key_check CHECK (((length(small_key) >= 1) AND (length(small_key) <= 200))),
  constraint media_width_check CHECK ((width > 0)),
  constraint media_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint media_pkey PRIMARY KEY (workspace_id, media_id),
  constraint media_workspace_id_media_id_member_id_key UNIQUE (workspace_id, media_id, member_id),
  constraint media_workspace_id_small_key_key UNIQUE (workspace_id, small_key),
  constraint media_workspace_id_storage_key_key UNIQUE (workspace_id, storage_key)
);
CREATE INDEX media_member ON media USING btree (workspace_id, member_id);
CREATE INDEX media_waiting ON media USING btree (workspace_id, created_at) WHERE (scan = 'waiting'::text);
alter table media enable row level security;
alter table media force row level security;
create policy own on media for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on media to atrium_program;

create table member_addresses (
  workspace_id uuid not null,
  address_id uuid not null,
  member_id uuid not null,
  address_line_1 text,
  address_line_2 text,
  city text,
  postcode text,
  state text,
  country_code character(2),
  is_primary boolean default false not null,
  removed_at timestamp with time zone,
  constraint member_addresses_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint member_addresses_pkey PRIMARY KEY (workspace_id, address_id)
);
CREATE INDEX member_addresses_member ON member_addresses USING btree (workspace_id, member_id);
CREATE UNIQUE INDEX member_addresses_primary ON member_addresses USING btree (workspace_id, member_id) WHERE (is_primary AND (removed_at IS NULL));
alter table member_addresses enable row level security;
alter table member_addresses force row level security;
create policy own on member_addresses for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on member_addresses to atrium_program;

create table member_locks (
  workspace_id uuid not null,
  lock_id uuid not null,
  member_id uuid not null,
  reason text not null,
  locked_by uuid not null,
  locked_at timestamp with time zone not null,
  lifted_by uuid,
  lifted_at timestamp with time zone,
  constraint member_locks_check CHECK (((lifted_by IS NULL) = (lifted_at IS NULL))),
  constraint member_locks_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint member_locks_workspace_id_lifted_by_fkey FOREIGN KEY (workspace_id, lifted_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint member_locks_workspace_id_locked_by_fkey FOREIGN KEY (workspace_id, locked_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint member_locks_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint member_locks_pkey PRIMARY KEY (workspace_id, lock_id)
);
CREATE INDEX member_locks_member ON member_locks USING btree (workspace_id, member_id, locked_at);
CREATE UNIQUE INDEX member_locks_standing ON member_locks USING btree (workspace_id, member_id) WHERE (lifted_at IS NULL);
alter table member_locks enable row level security;
alter table member_locks force row level security;
create policy desk on member_locks for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on member_locks to atrium_program;

create table member_words (
  workspace_id uuid not null,
  member_id uuid not null,
  word text not null,
  constraint member_words_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint member_words_pkey PRIMARY KEY (workspace_id, member_id, word)
);
CREATE INDEX member_words_word ON member_words USING btree (workspace_id, word, member_id);
alter table member_words enable row level security;
alter table member_words force row level security;
create policy own on member_words for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on member_words to atrium_program;

create table member_writes (
  workspace_id uuid not null,
  member_id uuid not null,
  xid xid8 not null,
  constraint member_writes_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint member_writes_pkey PRIMARY KEY (workspace_id, member_id)
);
alter table member_writes enable row level security;
alter table member_writes force row level security;
create policy own on member_writes for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on member_writes to atrium_program;

create table members (
  workspace_id uuid not null,
  member_id uuid not null,
  customer_number text not null,
  title text,
  first_name text not null,
  last_name text not null,
  email text not null,
  emails text[] default '{}'::text[] not null,
  phones text[] default '{}'::text[] not null,
  password_hash text not null,
  type text default 'client'::text not null,
  status text default 'active'::text not null,
  documents_status text default 'pending'::text not null,
  kyc_category_id uuid,
  permissions text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  language text,
  time_zone text,
  colour_scheme text,
  profile_version integer default 1 not null,
  picture_media_id uuid,
  referred_by uuid,
  sort_name text default "left"(plain_name(((last_name || ' '::text) || first_name)), 200) not null,
  password_changed_at timestamp with time zone,
  papers_elsewhere boolean default false not null,
  erased_at timestamp with time zone,
  papers_gone_at timestamp with time zone,
  text_language text,
  details_changed_at timestamp with time zone,
  constraint members_colour_scheme_check CHECK ((colour_scheme = ANY (ARRAY['light'::text, 'dark'::text, 'auto'::text]))),
  constraint members_documents_status_check CHECK ((documents_status = ANY (ARRAY['pending'::text, 'rejected'::text, 'in_verification'::text, 'approved'::text]))),
  constraint members_email_check CHECK ((length(email) <= 254)),
  constraint members_language_check CHECK (((length(language) >= 2) AND (length(language) <= 35))),
  constraint members_profile_version_check CHECK ((profile_version > 0)),
  constraint members_status_check CHECK ((status = ANY (ARRAY['active'::text, 'locked'::text, 'erased'::text, 'invited'::text]))),
  constraint members_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 64))),
  constraint members_type_check CHECK ((type = ANY (ARRAY['client'::text, 'sales_person'::text]))),
  constraint members_picture FOREIGN KEY (workspace_id, picture_media_id, member_id) REFERENCES media(workspace_id, media_id, member_id),
  constraint members_referred_by FOREIGN KEY (workspace_id, referred_by) REFERENCES members(workspace_id, member_id),
  constraint members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint members_workspace_id_kyc_category_id_fkey FOREIGN KEY (workspace_id, kyc_category_id) REFERENCES kyc_categories(workspace_id, kyc_category_id),
  constraint members_pkey PRIMARY KEY (workspace_id, member_id),
  constraint members_workspace_id_customer_number_key UNIQUE (workspace_id, customer_number)
);
CREATE INDEX members_by_name ON members USING btree (workspace_id, sort_name, member_id);
CREATE UNIQUE INDEX members_email ON members USING btree (workspace_id, lower(email));
CREATE INDEX members_erased ON members USING btree (workspace_id, erased_at) WHERE ((status = 'erased'::text) AND (papers_gone_at IS NULL));
CREATE INDEX members_joined ON members USING btree (workspace_id, created_at, member_id);
CREATE INDEX members_joined_by_documents ON members USING btree (workspace_id, documents_status, created_at, member_id);
CREATE INDEX members_joined_by_status ON members USING btree (workspace_id, status, created_at, member_id);
CREATE INDEX members_picture ON members USING btree (workspace_id, picture_media_id) WHERE (picture_media_id IS NOT NULL);
CREATE INDEX members_referred_by ON members USING btree (workspace_id, referred_by) WHERE (referred_by IS NOT NULL);
alter table members enable row level security;
alter table members force row level security;
create policy own on members for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
create policy read_for_referrals on members for select to the owner using (workspace_id = scope_workspace());
grant delete, insert, select, update on members to atrium_program;
CREATE TRIGGER guard_erased_member BEFORE UPDATE OF status ON members FOR EACH ROW WHEN (((old.status = 'erased'::text) AND (new.status <> 'erased'::text))) EXECUTE FUNCTION guard_erased_member();
CREATE TRIGGER guard_member_papers BEFORE UPDATE OF kyc_category_id, papers_elsewhere, documents_status ON members FOR EACH ROW EXECUTE FUNCTION guard_member_papers();
CREATE TRIGGER member_words AFTER INSERT OR UPDATE OF first_name, last_name, email, emails, customer_number ON members FOR EACH ROW EXECUTE FUNCTION write_member_words();

create table nonces (
  workspace_id uuid not null,
  token_hash bytea not null,
  member_id uuid not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  body_hash bytea,
  answer jsonb,
  constraint nonces_check CHECK (((body_hash IS NULL) = (answer IS NULL))),
  constraint nonces_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint nonces_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint nonces_pkey PRIMARY KEY (workspace_id, token_hash)
);
CREATE INDEX nonces_expiry ON nonces USING btree (workspace_id, expires_at);
CREATE INDEX nonces_member ON nonces USING btree (workspace_id, member_id);
alter table nonces enable row level security;
alter table nonces force row level security;
create policy own on nonces for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on nonces to atrium_program;

create table notice_boxes (
  workspace_id uuid not null,
  member_id uuid not null,
  last_number bigint default 0 not null,
  mail_off text[] default '{}'::text[] not null,
  constraint notice_boxes_last_number_check CHECK ((last_number >= 0)),
  constraint notice_boxes_mail_off_check CHECK ((mail_off <@ ARRAY['money'::text, 'documents'::text, 'support'::text, 'requests'::text, 'accounts'::text])),
  constraint notice_boxes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint notice_boxes_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint notice_boxes_pkey PRIMARY KEY (workspace_id, member_id)
);
alter table notice_boxes enable row level security;
alter table notice_boxes force row level security;
create policy own on notice_boxes for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on notice_boxes to atrium_program;

create table notices (
  workspace_id uuid not null,
  notice_id uuid not null,
  member_id uuid not null,
  notice_number bigint not null,
  kind text not null,
  dedupe_key text not null,
  title text not null,
  body text not null,
  details jsonb default '{}'::jsonb not null,
  target_kind text not null,
  target_id uuid,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  constraint notices_body_check CHECK ((length(body) <= 1000)),
  constraint notices_dedupe_key_check CHECK (((length(dedupe_key) >= 1) AND (length(dedupe_key) <= 200))),
  constraint notices_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 60))),
  constraint notices_notice_number_check CHECK ((notice_number > 0)),
  constraint notices_target_kind_check CHECK (((length(target_kind) >= 1) AND (length(target_kind) <= 40))),
  constraint notices_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200))),
  constraint notices_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint notices_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint notices_pkey PRIMARY KEY (workspace_id, notice_id),
  constraint notices_workspace_id_member_id_dedupe_key_key UNIQUE (workspace_id, member_id, dedupe_key),
  constraint notices_workspace_id_member_id_notice_number_key UNIQUE (workspace_id, member_id, notice_number)
);
CREATE INDEX notices_age ON notices USING btree (workspace_id, created_at);
CREATE INDEX notices_unread ON notices USING btree (workspace_id, member_id) WHERE (read_at IS NULL);
alter table notices enable row level security;
alter table notices force row level security;
create policy own on notices for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on notices to atrium_program;

create table passkey_challenges (
  workspace_id uuid not null,
  session_id uuid not null,
  purpose text not null,
  member_id uuid,
  staff_id uuid,
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_check CHECK (((member_id IS NULL) <> (staff_id IS NULL))),
  constraint passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['adding'::text, 'proof'::text]))),
  constraint passkey_challenges_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint passkey_challenges_workspace_id_session_id_fkey FOREIGN KEY (workspace_id, session_id) REFERENCES sessions(workspace_id, session_id),
  constraint passkey_challenges_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint passkey_challenges_pkey PRIMARY KEY (workspace_id, session_id, purpose)
);
CREATE INDEX passkey_challenges_member ON passkey_challenges USING btree (workspace_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX passkey_challenges_staff ON passkey_challenges USING btree (workspace_id, staff_id) WHERE (staff_id IS NOT NULL);
alter table passkey_challenges enable row level security;
alter table passkey_challenges force row level security;
create policy own on passkey_challenges for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on passkey_challenges to atrium_program;

create table passkeys (
  workspace_id uuid not null,
  passkey_id uuid not null,
  member_id uuid,
  staff_id uuid,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint passkeys_check CHECK (((member_id IS NULL) <> (staff_id IS NULL))),
  constraint passkeys_counter_check CHECK ((counter >= 0)),
  constraint passkeys_credential_id_check CHECK ((length(credential_id) <= 1400)),
  constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint passkeys_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint passkeys_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint passkeys_pkey PRIMARY KEY (workspace_id, passkey_id),
  constraint passkeys_workspace_id_credential_id_key UNIQUE (workspace_id, credential_id)
);
CREATE INDEX passkeys_member ON passkeys USING btree (workspace_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX passkeys_staff ON passkeys USING btree (workspace_id, staff_id) WHERE (staff_id IS NOT NULL);
alter table passkeys enable row level security;
alter table passkeys force row level security;
create policy own on passkeys for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on passkeys to atrium_program;

create table password_reset_requests (
  workspace_id uuid not null,
  request_id uuid not null,
  sealed_email bytea not null,
  address inet,
  created_at timestamp with time zone not null,
  kind text default 'member'::text not null,
  constraint password_reset_requests_kind_check CHECK ((kind = ANY (ARRAY['member'::text, 'staff'::text]))),
  constraint password_reset_requests_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint password_reset_requests_pkey PRIMARY KEY (workspace_id, request_id)
);
CREATE INDEX password_reset_requests_age ON password_reset_requests USING btree (workspace_id, created_at);
alter table password_reset_requests enable row level security;
alter table password_reset_requests force row level security;
create policy desk on password_reset_requests for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on password_reset_requests to atrium_program;

create table password_resets (
  workspace_id uuid not null,
  reset_id uuid not null,
  member_id uuid,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  superseded_at timestamp with time zone,
  staff_id uuid,
  purpose text default 'reset'::text not null,
  constraint password_resets_check1 CHECK (((used_at IS NULL) OR (superseded_at IS NULL))),
  constraint password_resets_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint password_resets_expiry CHECK ((expires_at <= (created_at +
CASE purpose
    WHEN 'invitation'::text THEN '3 days'::interval
    ELSE '01:00:00'::interval
END))),
  constraint password_resets_owner CHECK ((num_nonnulls(member_id, staff_id) = 1)),
  constraint password_resets_purpose_check CHECK ((purpose = ANY (ARRAY['reset'::text, 'invitation'::text]))),
  constraint password_resets_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint password_resets_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint password_resets_pkey PRIMARY KEY (workspace_id, reset_id),
  constraint password_resets_workspace_id_code_hash_key UNIQUE (workspace_id, code_hash)
);
CREATE INDEX password_resets_age ON password_resets USING btree (workspace_id, created_at);
CREATE INDEX password_resets_member ON password_resets USING btree (workspace_id, member_id);
CREATE INDEX password_resets_staff ON password_resets USING btree (workspace_id, staff_id) WHERE (staff_id IS NOT NULL);
alter table password_resets enable row level security;
alter table password_resets force row level security;
create policy own on password_resets for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on password_resets to atrium_program;

create table payment_cases (
  workspace_id uuid not null,
  case_id uuid not null,
  order_id uuid,
  provider_id uuid,
  payment text not null,
  kind text not null,
  why text not null,
  paid numeric,
  paid_currency text,
  word text not null,
  opened_at timestamp with time zone not null,
  state text default 'open'::text not null,
  decision text,
  note text,
  outside_reference text,
  proposed_by uuid,
  decided_by uuid,
  decided_at timestamp with time zone,
  transaction_id uuid,
  claims text,
  provider_time text,
  payout_id uuid,
  withdrawal_id uuid,
  constraint about_one_payment CHECK ((num_nonnulls(order_id, payout_id, withdrawal_id) = 1)),
  constraint by_provider_or_hand CHECK (((provider_id IS NULL) = (withdrawal_id IS NOT NULL))),
  constraint closed_by_somebody CHECK (((state = 'closed'::text) = ((decided_at IS NOT NULL) AND ((decided_by IS NOT NULL) OR (why = 'pending_too_long'::text))))),
  constraint credited_has_movement CHECK (((transaction_id IS NOT NULL) = ((state = 'closed'::text) AND (decision = ANY (ARRAY['credit_agreed'::text, 'credit_paid'::text]))))),
  constraint decided_after_open CHECK (((state = 'open'::text) = (decision IS NULL))),
  constraint payment_cases_decision_check CHECK ((decision = ANY (ARRAY['credit_agreed'::text, 'credit_paid'::text, 'given_back'::text, 'explained'::text]))),
  constraint payment_cases_kind_check CHECK ((kind = ANY (ARRAY['paid'::text, 'returned'::text]))),
  constraint payment_cases_state_check CHECK ((state = ANY (ARRAY['open'::text, 'proposed'::text, 'closed'::text]))),
  constraint proposed_by_somebody CHECK (((state <> 'proposed'::text) OR (proposed_by IS NOT NULL))),
  constraint returned_is_not_credited CHECK (((kind = 'paid'::text) OR (decision IS NULL) OR (decision = ANY (ARRAY['given_back'::text, 'explained'::text])))),
  constraint two_people CHECK (((proposed_by IS NULL) OR (decided_by IS NULL) OR (proposed_by <> decided_by))),
  constraint payment_cases_workspace_id_decided_by_fkey FOREIGN KEY (workspace_id, decided_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint payment_cases_workspace_id_order_id_fkey FOREIGN KEY (workspace_id, order_id) REFERENCES deposit_orders(workspace_id, order_id),
  constraint payment_cases_workspace_id_payout_id_fkey FOREIGN KEY (workspace_id, payout_id) REFERENCES payout_orders(workspace_id, payout_id),
  constraint payment_cases_workspace_id_proposed_by_fkey FOREIGN KEY (workspace_id, proposed_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint payment_cases_workspace_id_provider_id_fkey FOREIGN KEY (workspace_id, provider_id) REFERENCES payment_providers(workspace_id, provider_id),
  constraint payment_cases_workspace_id_transaction_id_fkey FOREIGN KEY (workspace_id, transaction_id) REFERENCES balance_transactions(workspace_id, transaction_id),
  constraint payment_cases_workspace_id_withdrawal_id_fkey FOREIGN KEY (workspace_id, withdrawal_id) REFERENCES balance_transactions(workspace_id, transaction_id),
  constraint payment_cases_pkey PRIMARY KEY (workspace_id, case_id),
  constraint guard_recorded_refund TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint payment_cases_workspace_id_order_id_payment_kind_key UNIQUE (workspace_id, order_id, payment, kind)
);
CREATE INDEX payment_cases_list ON payment_cases USING btree (workspace_id, case_id DESC);
CREATE UNIQUE INDEX payment_cases_payout ON payment_cases USING btree (workspace_id, payout_id, payment, kind) WHERE (payout_id IS NOT NULL);
CREATE INDEX payment_cases_waiting ON payment_cases USING btree (workspace_id, opened_at, case_id) WHERE (state <> 'closed'::text);
CREATE UNIQUE INDEX payment_cases_withdrawal ON payment_cases USING btree (workspace_id, withdrawal_id, payment) WHERE (withdrawal_id IS NOT NULL);
alter table payment_cases enable row level security;
alter table payment_cases force row level security;
create policy desk on payment_cases for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on payment_cases to atrium_program;
CREATE TRIGGER guard_payment_case BEFORE UPDATE ON payment_cases FOR EACH ROW EXECUTE FUNCTION guard_payment_case();
CREATE CONSTRAINT TRIGGER guard_recorded_refund AFTER UPDATE ON payment_cases DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.why = 'credit_refused'::text) AND (new.decision = 'given_back'::text) AND (new.state = 'closed'::text) AND (old.state <> 'closed'::text))) EXECUTE FUNCTION guard_recorded_refund();

create table payment_credits (
  workspace_id uuid not null,
  provider_id uuid not null,
  payment text not null,
  transaction_id uuid not null,
  credited_at timestamp with time zone not null,
  provider_time text,
  constraint payment_credits_workspace_id_provider_id_fkey FOREIGN KEY (workspace_id, provider_id) REFERENCES payment_providers(workspace_id, provider_id),
  constraint payment_credits_workspace_id_transaction_id_fkey FOREIGN KEY (workspace_id, transaction_id) REFERENCES balance_transactions(workspace_id, transaction_id),
  constraint payment_credits_pkey PRIMARY KEY (workspace_id, provider_id, payment),
  constraint payment_credits_workspace_id_transaction_id_key UNIQUE (workspace_id, transaction_id)
);
alter table payment_credits enable row level security;
alter table payment_credits force row level security;
create policy desk on payment_credits for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant insert, select on payment_credits to atrium_program;

create table payment_notifications (
  workspace_id uuid not null,
  notification_id uuid not null,
  provider_id uuid not null,
  content_id bytea not null,
  method text not null,
  query text not null,
  headers jsonb not null,
  body bytea not null,
  times integer default 1 not null,
  received_at timestamp with time zone not null,
  last_received_at timestamp with time zone not null,
  verdict text default 'unread'::text not null,
  outcome text,
  reported jsonb,
  why text,
  order_id uuid,
  read_at timestamp with time zone,
  closed_at timestamp with time zone,
  closed_by uuid,
  payout_id uuid,
  cleared_at timestamp with time zone,
  constraint about_one_thing CHECK (((order_id IS NULL) OR (payout_id IS NULL))),
  constraint cleared_is_empty CHECK (((cleared_at IS NULL) OR ((verdict <> 'unread'::text) AND (query = ''::text) AND (headers = '{}'::jsonb) AND (body = '\x'::bytea)))),
  constraint payment_notifications_method_check CHECK ((method = ANY (ARRAY['GET'::text, 'POST'::text]))),
  constraint payment_notifications_outcome_check CHECK ((outcome = ANY (ARRAY['applied'::text, 'repeated'::text, 'noted'::text, 'unknown_order'::text, 'for_staff'::text, 'refused'::text]))),
  constraint payment_notifications_verdict_check CHECK ((verdict = ANY (ARRAY['unread'::text, 'genuine'::text, 'unverified'::text, 'unreadable'::text, 'unsigned'::text, 'wrong_signature'::text, 'another_merchant'::text, 'another_sender'::text]))),
  constraint payment_notifications_workspace_id_closed_by_fkey FOREIGN KEY (workspace_id, closed_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint payment_notifications_workspace_id_order_id_fkey FOREIGN KEY (workspace_id, order_id) REFERENCES deposit_orders(workspace_id, order_id),
  constraint payment_notifications_workspace_id_payout_id_fkey FOREIGN KEY (workspace_id, payout_id) REFERENCES payout_orders(workspace_id, payout_id),
  constraint payment_notifications_workspace_id_provider_id_fkey FOREIGN KEY (workspace_id, provider_id) REFERENCES payment_providers(workspace_id, provider_id),
  constraint payment_notifications_pkey PRIMARY KEY (workspace_id, notification_id),
  constraint payment_notifications_workspace_id_provider_id_content_id_key UNIQUE (workspace_id, provider_id, content_id)
);
CREATE INDEX payment_notifications_list ON payment_notifications USING btree (workspace_id, received_at DESC, notification_id DESC);
CREATE INDEX payment_notifications_of_provider ON payment_notifications USING btree (workspace_id, provider_id, notification_id DESC);
CREATE INDEX payment_notifications_order ON payment_notifications USING btree (workspace_id, order_id);
CREATE INDEX payment_notifications_payout ON payment_notifications USING btree (workspace_id, payout_id);
CREATE INDEX payment_notifications_returned ON payment_notifications USING btree (workspace_id, received_at) WHERE ((why = 'returned'::text) AND (payout_id IS NOT NULL));
CREATE INDEX payment_notifications_to_clear ON payment_notifications USING btree (workspace_id, read_at) WHERE (cleared_at IS NULL);
CREATE INDEX payment_notifications_unread ON payment_notifications USING btree (workspace_id, received_at) WHERE (verdict = 'unread'::text);
alter table payment_notifications enable row level security;
alter table payment_notifications force row level security;
create policy desk on payment_notifications for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on payment_notifications to atrium_program;
CREATE TRIGGER guard_payment_notification BEFORE UPDATE ON payment_notifications FOR EACH ROW EXECUTE FUNCTION guard_payment_notification();

create table payment_provider_connections (
  workspace_id uuid not null,
  provider_id uuid not null,
  settings jsonb default '{}'::jsonb not null,
  sealed_secret bytea not null,
  secrets_set_at jsonb default '{}'::jsonb not null,
  failed_at timestamp with time zone,
  failure text,
  failure_detail text,
  constraint payment_provider_connections_workspace_id_provider_id_fkey FOREIGN KEY (workspace_id, provider_id) REFERENCES payment_providers(workspace_id, provider_id),
  constraint payment_provider_connections_pkey PRIMARY KEY (workspace_id, provider_id)
);
alter table payment_provider_connections enable row level security;
alter table payment_provider_connections force row level security;
create policy desk on payment_provider_connections for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on payment_provider_connections to atrium_program;

create table payment_provider_currencies (
  workspace_id uuid not null,
  provider_id uuid not null,
  currency text not null,
  amount_min numeric not null,
  amount_max numeric not null,
  fee_percent numeric default 0 not null,
  fee_fixed numeric default 0 not null,
  constraint max_above_min CHECK ((amount_max >= amount_min)),
  constraint payment_provider_currencies_amount_min_check CHECK ((amount_min > (0)::numeric)),
  constraint payment_provider_currencies_fee_fixed_check CHECK ((fee_fixed >= (0)::numeric)),
  constraint payment_provider_currencies_fee_percent_check CHECK (((fee_percent >= (0)::numeric) AND (fee_percent <= (50)::numeric))),
  constraint payment_provider_currencies_workspace_id_provider_id_fkey FOREIGN KEY (workspace_id, provider_id) REFERENCES payment_providers(workspace_id, provider_id),
  constraint payment_provider_currencies_pkey PRIMARY KEY (workspace_id, provider_id, currency)
);
alter table payment_provider_currencies enable row level security;
alter table payment_provider_currencies force row level security;
create policy read_shared on payment_provider_currencies for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on payment_provider_currencies for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on payment_provider_currencies to atrium_program;

create table payment_providers (
  workspace_id uuid not null,
  provider_id uuid not null,
  app_uid text not null,
  enabled boolean default false not null,
  version integer default 0 not null,
  created_at timestamp with time zone not null,
  title text,
  "position" integer default 0 not null,
  coins jsonb,
  coins_read_at timestamp with time zone,
  logo_url text,
  constraint payment_providers_app_uid_check CHECK ((app_uid ~ '^[a-z0-9]{1,40}$'::text)),
  constraint payment_providers_logo_url_check CHECK ((logo_url ~ '^/brand/logos/[0-9a-f-]{36}/logo\.(png|jpg)$'::text)),
  constraint payment_providers_title_check CHECK (((length(title) >= 1) AND (length(title) <= 120))),
  constraint payment_providers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint payment_providers_pkey PRIMARY KEY (workspace_id, provider_id),
  constraint payment_providers_workspace_id_app_uid_key UNIQUE (workspace_id, app_uid)
);
alter table payment_providers enable row level security;
alter table payment_providers force row level security;
create policy read_shared on payment_providers for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on payment_providers for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on payment_providers to atrium_program;

create table payout_orders (
  workspace_id uuid not null,
  payout_id uuid not null,
  transaction_id uuid not null,
  member_id uuid not null,
  provider_id uuid not null,
  attempt text not null,
  reference text,
  amount numeric not null,
  currency text not null,
  state text not null,
  problem text,
  staff_reason text,
  sends integer default 0 not null,
  absent_since timestamp with time zone,
  next_look_at timestamp with time zone not null,
  looks integer default 0 not null,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  ended_at timestamp with time zone,
  coin text,
  coin_amount numeric,
  return_reported_at timestamp with time zone,
  constraint coin_amount_of_a_coin CHECK (((coin_amount IS NULL) OR (coin IS NOT NULL))),
  constraint payout_orders_amount_check CHECK ((amount > (0)::numeric)),
  constraint payout_orders_attempt_check CHECK ((attempt ~ '^wd-[a-z0-9-]{8,40}$'::text)),
  constraint payout_orders_coin_amount_check CHECK ((coin_amount > (0)::numeric)),
  constraint payout_orders_coin_check CHECK ((coin ~ '^[A-Za-z0-9.]{1,20}$'::text)),
  constraint payout_orders_state_check CHECK ((state = ANY (ARRAY['created'::text, 'sending'::text, 'checking'::text, 'accepted'::text, 'paid'::text, 'declined'::text, 'for_staff'::text, 'dropped'::text]))),
  constraint payout_staff_have_a_reason CHECK (((state <> 'for_staff'::text) OR (staff_reason IS NOT NULL))),
  constraint payout_orders_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint payout_orders_workspace_id_provider_id_fkey FOREIGN KEY (workspace_id, provider_id) REFERENCES payment_providers(workspace_id, provider_id),
  constraint payout_orders_workspace_id_transaction_id_member_id_fkey FOREIGN KEY (workspace_id, transaction_id, member_id) REFERENCES balance_transactions(workspace_id, transaction_id, member_id),
  constraint payout_orders_pkey PRIMARY KEY (workspace_id, payout_id),
  constraint payout_orders_workspace_id_provider_id_attempt_key UNIQUE (workspace_id, provider_id, attempt),
  constraint payout_orders_workspace_id_provider_id_reference_key UNIQUE (workspace_id, provider_id, reference)
);
CREATE INDEX payout_orders_due ON payout_orders USING btree (workspace_id, next_look_at) WHERE (state = ANY (ARRAY['created'::text, 'sending'::text, 'checking'::text, 'accepted'::text]));
CREATE INDEX payout_orders_ended ON payout_orders USING btree (workspace_id, ended_at) WHERE (state = 'paid'::text);
CREATE INDEX payout_orders_member ON payout_orders USING btree (workspace_id, member_id);
CREATE UNIQUE INDEX payout_orders_one ON payout_orders USING btree (workspace_id, transaction_id) WHERE (state <> ALL (ARRAY['declined'::text, 'dropped'::text]));
CREATE INDEX payout_orders_staff ON payout_orders USING btree (workspace_id, created_at) WHERE (state = 'for_staff'::text);
CREATE INDEX payout_orders_transaction ON payout_orders USING btree (workspace_id, transaction_id, created_at);
CREATE INDEX payout_orders_unanswered ON payout_orders USING btree (workspace_id, next_look_at) WHERE (return_reported_at IS NOT NULL);
alter table payout_orders enable row level security;
alter table payout_orders force row level security;
create policy desk on payout_orders for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
create policy read_own on payout_orders for select using ((workspace_id = scope_workspace()) AND (scope_actor() = 'member'::text) AND (member_id = scope_member()));
grant delete, insert, select, update on payout_orders to atrium_program;
CREATE TRIGGER guard_new_payout_order BEFORE INSERT ON payout_orders FOR EACH ROW EXECUTE FUNCTION guard_new_payout_order();
CREATE TRIGGER guard_payout_coin BEFORE UPDATE ON payout_orders FOR EACH ROW EXECUTE FUNCTION guard_payout_coin();
CREATE TRIGGER guard_payout_order BEFORE UPDATE ON payout_orders FOR EACH ROW EXECUTE FUNCTION guard_payout_order();

create table platform_connections (
  workspace_id uuid not null,
  platform_id uuid not null,
  settings jsonb not null,
  sealed_secret bytea not null,
  settle_ms integer default 200000 not null,
  look_again_ms integer default 30000 not null,
  lease_ms integer default 75000 not null,
  compared_at timestamp with time zone,
  compare_problem text,
  unread_groups text[] default '{}'::text[] not null,
  constraint platform_connections_lease_ms_check CHECK ((lease_ms > 0)),
  constraint platform_connections_look_again_ms_check CHECK ((look_again_ms >= 0)),
  constraint platform_connections_settle_ms_check CHECK ((settle_ms >= 0)),
  constraint platform_connections_workspace_id_platform_id_fkey FOREIGN KEY (workspace_id, platform_id) REFERENCES trading_platforms(workspace_id, platform_id),
  constraint platform_connections_pkey PRIMARY KEY (workspace_id, platform_id)
);
alter table platform_connections enable row level security;
alter table platform_connections force row level security;
create policy desk on platform_connections for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on platform_connections to atrium_program;

create table platform_downloads (
  workspace_id uuid not null,
  download_id uuid not null,
  platform_id uuid not null,
  system text not null,
  name text not null,
  link text,
  file_id uuid,
  "position" integer not null,
  archived_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint link_or_file CHECK (((link IS NULL) <> (file_id IS NULL))),
  constraint platform_downloads_link_check CHECK (((link ~ '^https?://'::text) AND (length(link) <= 2000))),
  constraint platform_downloads_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint platform_downloads_system_check CHECK ((system = ANY (ARRAY['windows'::text, 'android'::text, 'ios'::text, 'mac-os'::text, 'web'::text]))),
  constraint platform_downloads_workspace_id_file_id_fkey FOREIGN KEY (workspace_id, file_id) REFERENCES platform_files(workspace_id, file_id),
  constraint platform_downloads_workspace_id_platform_id_fkey FOREIGN KEY (workspace_id, platform_id) REFERENCES trading_platforms(workspace_id, platform_id),
  constraint platform_downloads_pkey PRIMARY KEY (workspace_id, download_id)
);
CREATE INDEX platform_downloads_of_file ON platform_downloads USING btree (workspace_id, file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX platform_downloads_of_platform ON platform_downloads USING btree (workspace_id, platform_id, "position");
alter table platform_downloads enable row level security;
alter table platform_downloads force row level security;
create policy read_shared on platform_downloads for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on platform_downloads for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on platform_downloads to atrium_program;

create table platform_files (
  workspace_id uuid not null,
  file_id uuid not null,
  name text not null,
  content_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  storage_key text not null,
  created_at timestamp with time zone not null,
  constraint platform_files_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint platform_files_sha256_check CHECK ((length(sha256) = 32)),
  constraint platform_files_size_bytes_check CHECK ((size_bytes > 0)),
  constraint platform_files_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint platform_files_pkey PRIMARY KEY (workspace_id, file_id),
  constraint platform_files_workspace_id_storage_key_key UNIQUE (workspace_id, storage_key)
);
alter table platform_files enable row level security;
alter table platform_files force row level security;
create policy read_shared on platform_files for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on platform_files for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on platform_files to atrium_program;

create table platform_intents (
  workspace_id uuid not null,
  intent_id uuid not null,
  kind text not null,
  platform_id uuid not null,
  platform_login text not null,
  transaction_id uuid,
  amount numeric not null,
  currency text not null,
  note text not null,
  tag text not null,
  state text not null,
  attempt integer default 0 not null,
  resends integer default 0 not null,
  lease_until timestamp with time zone,
  first_sent_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  absent_since timestamp with time zone,
  next_step_at timestamp with time zone not null,
  ticket text,
  platform_code integer,
  platform_text text,
  last_problem text,
  created_at timestamp with time zone not null,
  done_at timestamp with time zone,
  look_alikes text[] default '{}'::text[] not null,
  account_gone_at timestamp with time zone,
  decided_outcome text,
  decided_ticket text,
  constraint done_has_ticket CHECK (((state <> 'done'::text) OR (ticket IS NOT NULL))),
  constraint executed_has_ticket CHECK (((NOT (decided_outcome IS DISTINCT FROM 'executed'::text)) = (decided_ticket IS NOT NULL))),
  constraint platform_intents_amount_check CHECK ((amount <> (0)::numeric)),
  constraint platform_intents_decided_outcome_check CHECK ((decided_outcome = ANY (ARRAY['executed'::text, 'not_executed'::text]))),
  constraint platform_intents_kind_check CHECK ((kind = 'balance'::text)),
  constraint platform_intents_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'sending'::text, 'unknown'::text, 'done'::text, 'rejected'::text, 'stuck'::text]))),
  constraint platform_intents_tag_check CHECK ((length(tag) = 17)),
  constraint platform_intents_workspace_id_platform_id_fkey FOREIGN KEY (workspace_id, platform_id) REFERENCES trading_platforms(workspace_id, platform_id),
  constraint platform_intents_workspace_id_transaction_id_fkey FOREIGN KEY (workspace_id, transaction_id) REFERENCES balance_transactions(workspace_id, transaction_id),
  constraint platform_intents_pkey PRIMARY KEY (workspace_id, intent_id),
  constraint platform_intents_workspace_id_platform_id_platform_login_ti_key UNIQUE (workspace_id, platform_id, platform_login, ticket),
  constraint platform_intents_workspace_id_platform_id_tag_key UNIQUE (workspace_id, platform_id, tag)
);
CREATE INDEX platform_intents_decided ON platform_intents USING btree (workspace_id, next_step_at) WHERE ((state = 'stuck'::text) AND (decided_outcome IS NOT NULL));
CREATE INDEX platform_intents_done ON platform_intents USING btree (workspace_id, done_at) WHERE (state = 'done'::text);
CREATE INDEX platform_intents_due ON platform_intents USING btree (workspace_id, next_step_at) WHERE (state = ANY (ARRAY['ready'::text, 'sending'::text, 'unknown'::text]));
CREATE INDEX platform_intents_named ON platform_intents USING btree (workspace_id, platform_id, decided_ticket) WHERE (decided_ticket IS NOT NULL);
CREATE INDEX platform_intents_newest ON platform_intents USING btree (workspace_id, created_at);
CREATE UNIQUE INDEX platform_intents_open ON platform_intents USING btree (workspace_id, transaction_id, ((amount > (0)::numeric))) WHERE (state = ANY (ARRAY['ready'::text, 'sending'::text, 'unknown'::text, 'stuck'::text, 'done'::text]));
CREATE INDEX platform_intents_ticket ON platform_intents USING btree (workspace_id, platform_id, ticket) WHERE (ticket IS NOT NULL);
CREATE INDEX platform_intents_transaction ON platform_intents USING btree (workspace_id, transaction_id);
alter table platform_intents enable row level security;
alter table platform_intents force row level security;
create policy desk on platform_intents for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on platform_intents to atrium_program;
CREATE TRIGGER guard_platform_intent BEFORE UPDATE ON platform_intents FOR EACH ROW EXECUTE FUNCTION guard_platform_intent();

create table platform_operations (
  workspace_id uuid not null,
  account_id uuid not null,
  ticket text not null,
  amount numeric not null,
  currency text not null,
  tag text,
  at timestamp with time zone not null,
  constraint platform_operations_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES trading_accounts(workspace_id, account_id),
  constraint platform_operations_pkey PRIMARY KEY (workspace_id, account_id, ticket)
);
CREATE INDEX platform_operations_at ON platform_operations USING btree (workspace_id, at);
alter table platform_operations enable row level security;
alter table platform_operations force row level security;
create policy desk on platform_operations for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on platform_operations to atrium_program;

create table rate_limits (
  workspace_id uuid not null,
  bucket text not null,
  tried_at timestamp with time zone[] not null,
  expires_at timestamp with time zone not null,
  constraint rate_limits_tried_at_check CHECK ((cardinality(tried_at) <= 1000)),
  constraint rate_limits_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint rate_limits_pkey PRIMARY KEY (workspace_id, bucket)
);
CREATE INDEX rate_limits_expiry ON rate_limits USING btree (workspace_id, expires_at);
alter table rate_limits enable row level security;
alter table rate_limits force row level security;
create policy desk on rate_limits for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on rate_limits to atrium_program;

create table reconciliation_days (
  workspace_id uuid not null,
  day text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  state text default 'asked'::text not null,
  asked_at timestamp with time zone not null,
  asked_by uuid,
  compared_at timestamp with time zone,
  constraint compared_has_moment CHECK (((state <> 'compared'::text) OR (compared_at IS NOT NULL))),
  constraint reconciliation_days_check CHECK ((ends_at > starts_at)),
  constraint reconciliation_days_day_check CHECK ((day ~ '^\d{4}-\d{2}-\d{2}$'::text)),
  constraint reconciliation_days_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'compared'::text]))),
  constraint reconciliation_days_workspace_id_asked_by_fkey FOREIGN KEY (workspace_id, asked_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint reconciliation_days_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint reconciliation_days_pkey PRIMARY KEY (workspace_id, day)
);
alter table reconciliation_days enable row level security;
alter table reconciliation_days force row level security;
create policy desk on reconciliation_days for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on reconciliation_days to atrium_program;

create table reconciliation_differences (
  workspace_id uuid not null,
  difference_id uuid not null,
  day text not null,
  kind text not null,
  subject text not null,
  currency text not null,
  method text not null,
  portal numeric,
  provider numeric,
  platform numeric,
  provider_currency text,
  account_id uuid,
  transaction_id uuid,
  reference text,
  state text default 'open'::text not null,
  note text,
  explained_by uuid,
  explained_at timestamp with time zone,
  found_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint explained_has_note CHECK (((state <> 'explained'::text) OR ((note IS NOT NULL) AND (explained_by IS NOT NULL)))),
  constraint reconciliation_differences_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint reconciliation_differences_state_check CHECK ((state = ANY (ARRAY['open'::text, 'explained'::text, 'vanished'::text]))),
  constraint reconciliation_differences_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES trading_accounts(workspace_id, account_id),
  constraint reconciliation_differences_workspace_id_day_fkey FOREIGN KEY (workspace_id, day) REFERENCES reconciliation_days(workspace_id, day),
  constraint reconciliation_differences_workspace_id_explained_by_fkey FOREIGN KEY (workspace_id, explained_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint reconciliation_differences_workspace_id_transaction_id_fkey FOREIGN KEY (workspace_id, transaction_id) REFERENCES balance_transactions(workspace_id, transaction_id),
  constraint reconciliation_differences_pkey PRIMARY KEY (workspace_id, difference_id),
  constraint reconciliation_differences_workspace_id_day_kind_subject_key UNIQUE (workspace_id, day, kind, subject)
);
CREATE INDEX reconciliation_differences_account ON reconciliation_differences USING btree (workspace_id, account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX reconciliation_differences_open ON reconciliation_differences USING btree (workspace_id, day) WHERE (state = 'open'::text);
alter table reconciliation_differences enable row level security;
alter table reconciliation_differences force row level security;
create policy desk on reconciliation_differences for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on reconciliation_differences to atrium_program;

create table reconciliation_readings (
  workspace_id uuid not null,
  day text not null,
  platform_id uuid not null,
  last_account uuid,
  accounts_read integer default 0 not null,
  accounts_total integer default 0 not null,
  is_complete boolean default false not null,
  read_to timestamp with time zone,
  read_at timestamp with time zone,
  problem text,
  touched_at timestamp with time zone not null,
  unread_accounts uuid[] default '{}'::uuid[] not null,
  constraint reconciliation_readings_workspace_id_day_fkey FOREIGN KEY (workspace_id, day) REFERENCES reconciliation_days(workspace_id, day),
  constraint reconciliation_readings_workspace_id_platform_id_fkey FOREIGN KEY (workspace_id, platform_id) REFERENCES trading_platforms(workspace_id, platform_id),
  constraint reconciliation_readings_pkey PRIMARY KEY (workspace_id, day, platform_id)
);
alter table reconciliation_readings enable row level security;
alter table reconciliation_readings force row level security;
create policy desk on reconciliation_readings for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on reconciliation_readings to atrium_program;

create table reconciliation_sums (
  workspace_id uuid not null,
  day text not null,
  currency text not null,
  method text not null,
  type text not null,
  portal numeric not null,
  provider numeric,
  platform numeric,
  constraint reconciliation_sums_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text]))),
  constraint reconciliation_sums_workspace_id_day_fkey FOREIGN KEY (workspace_id, day) REFERENCES reconciliation_days(workspace_id, day),
  constraint reconciliation_sums_pkey PRIMARY KEY (workspace_id, day, currency, method, type)
);
alter table reconciliation_sums enable row level security;
alter table reconciliation_sums force row level security;
create policy desk on reconciliation_sums for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on reconciliation_sums to atrium_program;

create table recovery_codes (
  workspace_id uuid not null,
  code_id uuid not null,
  member_id uuid,
  staff_id uuid,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  superseded_at timestamp with time zone,
  constraint recovery_codes_check CHECK (((member_id IS NULL) <> (staff_id IS NULL))),
  constraint recovery_codes_check1 CHECK (((used_at IS NULL) OR (superseded_at IS NULL))),
  constraint recovery_codes_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint recovery_codes_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint recovery_codes_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint recovery_codes_pkey PRIMARY KEY (workspace_id, code_id),
  constraint recovery_codes_workspace_id_code_hash_key UNIQUE (workspace_id, code_hash)
);
CREATE INDEX recovery_codes_member ON recovery_codes USING btree (workspace_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX recovery_codes_staff ON recovery_codes USING btree (workspace_id, staff_id) WHERE (staff_id IS NOT NULL);
alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;
create policy own on recovery_codes for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on recovery_codes to atrium_program;

create table request_events (
  workspace_id uuid not null,
  event_id uuid not null,
  request_id uuid not null,
  member_id uuid not null,
  at timestamp with time zone not null,
  kind text not null,
  from_status text,
  to_status text,
  staff_id uuid,
  staff_name text,
  assigned_name text,
  comment text,
  constraint request_events_comment_check CHECK (((length(comment) >= 1) AND (length(comment) <= 2000))),
  constraint request_events_kind_check CHECK ((kind = ANY (ARRAY['sent'::text, 'assigned'::text, 'moved'::text, 'commented'::text]))),
  constraint staff_has_name CHECK (((staff_id IS NULL) = (staff_name IS NULL))),
  constraint request_events_workspace_id_request_id_member_id_fkey FOREIGN KEY (workspace_id, request_id, member_id) REFERENCES requests(workspace_id, request_id, member_id),
  constraint request_events_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint request_events_pkey PRIMARY KEY (workspace_id, event_id)
);
CREATE INDEX request_events_of ON request_events USING btree (workspace_id, request_id, at, event_id);
alter table request_events enable row level security;
alter table request_events force row level security;
create policy own on request_events for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on request_events to atrium_program;
CREATE TRIGGER guard_request_event BEFORE INSERT OR DELETE OR UPDATE ON request_events FOR EACH ROW EXECUTE FUNCTION guard_request_event();

create table request_types (
  workspace_id uuid not null,
  request_type_id uuid not null,
  name text not null,
  description text,
  predefined_type text,
  show_in_portal boolean default true not null,
  is_quick_link boolean default false not null,
  "position" integer default 0 not null,
  created_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  form_id uuid,
  changes text,
  constraint page_or_form CHECK (((form_id IS NULL) OR (predefined_type IS NULL))),
  constraint request_types_description_check CHECK ((length(description) <= 2000)),
  constraint request_types_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint request_types_predefined_type_check CHECK ((length(predefined_type) <= 60)),
  constraint request_types_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint request_types_workspace_id_form_id_fkey FOREIGN KEY (workspace_id, form_id) REFERENCES forms(workspace_id, form_id),
  constraint request_types_pkey PRIMARY KEY (workspace_id, request_type_id)
);
CREATE INDEX request_types_form ON request_types USING btree (workspace_id, form_id) WHERE (form_id IS NOT NULL);
CREATE INDEX request_types_shown ON request_types USING btree (workspace_id, "position", request_type_id) WHERE (archived_at IS NULL);
alter table request_types enable row level security;
alter table request_types force row level security;
create policy read_shared on request_types for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on request_types for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on request_types to atrium_program;

create table requests (
  workspace_id uuid not null,
  request_id uuid not null,
  number bigint not null,
  member_id uuid not null,
  request_type_id uuid not null,
  subject text not null,
  description text,
  priority text default 'low'::text not null,
  status text default 'not-assigned'::text not null,
  comment text,
  entity text,
  assigned_staff_id uuid,
  created_at timestamp with time zone not null,
  status_since timestamp with time zone not null,
  form_id uuid,
  form_version integer,
  assigned_staff_name text,
  wanted_change jsonb,
  constraint form_has_version CHECK (((form_id IS NULL) = (form_version IS NULL))),
  constraint not_assigned_to_nobody CHECK (((status <> 'not-assigned'::text) OR (assigned_staff_id IS NULL))),
  constraint requests_comment_check CHECK ((length(comment) <= 2000)),
  constraint requests_description_check CHECK ((length(description) <= 5000)),
  constraint requests_entity_check CHECK ((length(entity) <= 60)),
  constraint requests_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
  constraint requests_status_check CHECK ((status = ANY (ARRAY['not-assigned'::text, 'open'::text, 'in-progress'::text, 'done'::text, 'canceled'::text, 'rejected'::text]))),
  constraint requests_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 200))),
  constraint requests_workspace_id_assigned_staff_id_fkey FOREIGN KEY (workspace_id, assigned_staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint requests_workspace_id_form_id_form_version_fkey FOREIGN KEY (workspace_id, form_id, form_version) REFERENCES form_versions(workspace_id, form_id, version),
  constraint requests_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint requests_workspace_id_request_type_id_fkey FOREIGN KEY (workspace_id, request_type_id) REFERENCES request_types(workspace_id, request_type_id),
  constraint requests_pkey PRIMARY KEY (workspace_id, request_id),
  constraint requests_workspace_id_number_key UNIQUE (workspace_id, number),
  constraint requests_workspace_id_request_id_member_id_key UNIQUE (workspace_id, request_id, member_id)
);
CREATE INDEX requests_assigned ON requests USING btree (workspace_id, assigned_staff_id, status_since, request_id) WHERE (assigned_staff_id IS NOT NULL);
CREATE INDEX requests_board ON requests USING btree (workspace_id, status, status_since, request_id) INCLUDE (member_id);
CREATE INDEX requests_last ON requests USING btree (workspace_id, member_id, request_type_id, created_at DESC, request_id DESC);
CREATE INDEX requests_of_member ON requests USING btree (workspace_id, member_id, created_at DESC, request_id DESC);
CREATE INDEX requests_of_type ON requests USING btree (workspace_id, request_type_id, status, status_since, request_id) INCLUDE (member_id);
CREATE INDEX requests_since ON requests USING btree (workspace_id, status_since, request_id);
alter table requests enable row level security;
alter table requests force row level security;
create policy own on requests for all using ((workspace_id = ( SELECT scope_workspace() AS scope_workspace)) AND CASE ( SELECT scope_actor() AS scope_actor) WHEN 'member'::text THEN (member_id = ( SELECT scope_member() AS scope_member)) WHEN 'staff'::text THEN true WHEN 'system'::text THEN true ELSE false END) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on requests to atrium_program;
CREATE TRIGGER guard_new_request BEFORE INSERT ON requests FOR EACH ROW EXECUTE FUNCTION guard_new_request();
CREATE TRIGGER guard_request BEFORE UPDATE ON requests FOR EACH ROW EXECUTE FUNCTION guard_request();
CREATE TRIGGER guard_request_removal BEFORE DELETE ON requests FOR EACH ROW EXECUTE FUNCTION guard_request_removal();

create table sessions (
  workspace_id uuid not null,
  session_id uuid not null,
  kind text not null,
  member_id uuid,
  staff_id uuid,
  token_hash bytea not null,
  file_token_hash bytea not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  address inet,
  user_agent text,
  proven_at timestamp with time zone not null,
  second_factor_at timestamp with time zone,
  constraint sessions_check CHECK ((((kind = 'member'::text) = (member_id IS NOT NULL)) AND ((kind = 'staff'::text) = (staff_id IS NOT NULL)))),
  constraint sessions_file_token_hash_check CHECK ((length(file_token_hash) = 32)),
  constraint sessions_kind_check CHECK ((kind = ANY (ARRAY['member'::text, 'staff'::text]))),
  constraint sessions_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint sessions_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint sessions_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint sessions_pkey PRIMARY KEY (workspace_id, session_id),
  constraint sessions_workspace_id_file_token_hash_key UNIQUE (workspace_id, file_token_hash),
  constraint sessions_workspace_id_token_hash_key UNIQUE (workspace_id, token_hash)
);
CREATE INDEX sessions_ended ON sessions USING btree (workspace_id, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX sessions_member ON sessions USING btree (workspace_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX sessions_open ON sessions USING btree (workspace_id, last_seen_at) WHERE (ended_at IS NULL);
CREATE INDEX sessions_staff ON sessions USING btree (workspace_id, staff_id) WHERE (staff_id IS NOT NULL);
alter table sessions enable row level security;
alter table sessions force row level security;
create policy own on sessions for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on sessions to atrium_program;

create table sign_in_challenges (
  workspace_id uuid not null,
  challenge_id uuid not null,
  member_id uuid,
  staff_id uuid,
  token_hash bytea not null,
  password_mark bytea not null,
  passkey_challenge text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint sign_in_challenges_check CHECK ((expires_at <= (created_at + '00:05:00'::interval))),
  constraint sign_in_challenges_check1 CHECK (((member_id IS NULL) <> (staff_id IS NULL))),
  constraint sign_in_challenges_password_mark_check CHECK ((length(password_mark) = 32)),
  constraint sign_in_challenges_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint sign_in_challenges_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint sign_in_challenges_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint sign_in_challenges_pkey PRIMARY KEY (workspace_id, challenge_id),
  constraint sign_in_challenges_workspace_id_token_hash_key UNIQUE (workspace_id, token_hash)
);
CREATE INDEX sign_in_challenges_member ON sign_in_challenges USING btree (workspace_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX sign_in_challenges_staff ON sign_in_challenges USING btree (workspace_id, staff_id) WHERE (staff_id IS NOT NULL);
alter table sign_in_challenges enable row level security;
alter table sign_in_challenges force row level security;
create policy own on sign_in_challenges for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on sign_in_challenges to atrium_program;

create table staff_list_views (
  workspace_id uuid not null,
  staff_id uuid not null,
  list text not null,
  saved jsonb not null,
  hidden jsonb not null,
  constraint staff_list_views_hidden_check CHECK ((octet_length((hidden)::text) <= 65536)),
  constraint staff_list_views_list_check CHECK (((length(list) >= 1) AND (length(list) <= 40))),
  constraint staff_list_views_saved_check CHECK ((octet_length((saved)::text) <= 65536)),
  constraint staff_list_views_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint staff_list_views_pkey PRIMARY KEY (workspace_id, staff_id, list)
);
alter table staff_list_views enable row level security;
alter table staff_list_views force row level security;
create policy desk on staff_list_views for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on staff_list_views to atrium_program;

create table staff_pictures (
  workspace_id uuid not null,
  picture_id uuid not null,
  staff_id uuid not null,
  name text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 bytea not null,
  storage_key text not null,
  created_at timestamp with time zone not null,
  constraint staff_pictures_content_type_check CHECK ((content_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
  constraint staff_pictures_size_bytes_check CHECK ((size_bytes > 0)),
  constraint staff_pictures_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint staff_pictures_pkey PRIMARY KEY (workspace_id, picture_id),
  constraint staff_pictures_workspace_id_staff_id_key UNIQUE (workspace_id, staff_id)
);
alter table staff_pictures enable row level security;
alter table staff_pictures force row level security;
create policy read_shared on staff_pictures for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on staff_pictures for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on staff_pictures to atrium_program;

create table staff_users (
  workspace_id uuid not null,
  staff_id uuid not null,
  name text not null,
  email text not null,
  password_hash text not null,
  role text default 'administrator'::text not null,
  status text default 'active'::text not null,
  created_at timestamp with time zone not null,
  has_password boolean default true not null,
  constraint staff_users_email_check CHECK ((length(email) <= 254)),
  constraint staff_users_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'finance'::text, 'compliance'::text, 'administrator'::text]))),
  constraint staff_users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'locked'::text, 'invited'::text]))),
  constraint staff_users_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint staff_users_pkey PRIMARY KEY (workspace_id, staff_id)
);
CREATE UNIQUE INDEX staff_users_email ON staff_users USING btree (workspace_id, lower(email));
alter table staff_users enable row level security;
alter table staff_users force row level security;
create policy desk on staff_users for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on staff_users to atrium_program;

create table staff_writes (
  workspace_id uuid not null,
  staff_id uuid not null,
  xid xid8 not null,
  constraint staff_writes_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint staff_writes_pkey PRIMARY KEY (workspace_id, staff_id)
);
alter table staff_writes enable row level security;
alter table staff_writes force row level security;
create policy desk on staff_writes for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on staff_writes to atrium_program;

create table terms_acceptances (
  workspace_id uuid not null,
  member_id uuid not null,
  template_id uuid not null,
  version integer not null,
  accepted_at timestamp with time zone not null,
  address inet,
  user_agent text,
  session_id uuid not null,
  constraint terms_acceptances_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint terms_acceptances_workspace_id_template_id_version_fkey FOREIGN KEY (workspace_id, template_id, version) REFERENCES terms_versions(workspace_id, template_id, version),
  constraint terms_acceptances_pkey PRIMARY KEY (workspace_id, member_id, template_id, version)
);
CREATE INDEX terms_acceptances_template ON terms_acceptances USING btree (workspace_id, template_id, accepted_at DESC, member_id);
alter table terms_acceptances enable row level security;
alter table terms_acceptances force row level security;
create policy add_log on terms_acceptances for insert with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
create policy forget_agreed on terms_acceptances for delete to the owner using ((workspace_id = scope_workspace()) AND (scope_actor() = 'system'::text));
create policy read_log on terms_acceptances for select using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant insert, select on terms_acceptances to atrium_program;

create table terms_drafts (
  workspace_id uuid not null,
  template_id uuid not null,
  name text not null,
  tickbox_text text not null,
  template text not null,
  blocked_portal_sections text[] not null,
  revision integer default 1 not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint terms_drafts_workspace_id_template_id_fkey FOREIGN KEY (workspace_id, template_id) REFERENCES terms_templates(workspace_id, template_id),
  constraint terms_drafts_workspace_id_updated_by_fkey FOREIGN KEY (workspace_id, updated_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint terms_drafts_pkey PRIMARY KEY (workspace_id, template_id)
);
alter table terms_drafts enable row level security;
alter table terms_drafts force row level security;
create policy desk on terms_drafts for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on terms_drafts to atrium_program;

create table terms_templates (
  workspace_id uuid not null,
  template_id uuid not null,
  "position" integer not null,
  state text default 'draft'::text not null,
  version integer,
  asks_from integer,
  created_at timestamp with time zone not null,
  constraint terms_templates_check CHECK (((version IS NULL) = (asks_from IS NULL))),
  constraint terms_templates_check1 CHECK (((asks_from >= 1) AND (asks_from <= version))),
  constraint terms_templates_check2 CHECK (((state <> 'published'::text) OR (version IS NOT NULL))),
  constraint terms_templates_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'published'::text, 'retired'::text]))),
  constraint terms_templates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint terms_templates_workspace_id_template_id_version_fkey FOREIGN KEY (workspace_id, template_id, version) REFERENCES terms_versions(workspace_id, template_id, version),
  constraint terms_templates_pkey PRIMARY KEY (workspace_id, template_id)
);
alter table terms_templates enable row level security;
alter table terms_templates force row level security;
create policy read_shared on terms_templates for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on terms_templates for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on terms_templates to atrium_program;
CREATE TRIGGER renew_revision AFTER INSERT OR DELETE OR UPDATE OF state, version, asks_from ON terms_templates FOR EACH ROW EXECUTE FUNCTION renew_revision_of_terms();

create table terms_versions (
  workspace_id uuid not null,
  template_id uuid not null,
  version integer not null,
  name text not null,
  tickbox_text text not null,
  template text not null,
  blocked_portal_sections text[] not null,
  asks_again boolean not null,
  published_at timestamp with time zone not null,
  published_by uuid,
  constraint terms_versions_blocked_portal_sections_check CHECK ((cardinality(blocked_portal_sections) > 0)),
  constraint terms_versions_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint terms_versions_tickbox_text_check CHECK (((length(tickbox_text) >= 1) AND (length(tickbox_text) <= 500))),
  constraint terms_versions_version_check CHECK ((version >= 1)),
  constraint terms_versions_workspace_id_published_by_fkey FOREIGN KEY (workspace_id, published_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint terms_versions_workspace_id_template_id_fkey FOREIGN KEY (workspace_id, template_id) REFERENCES terms_templates(workspace_id, template_id),
  constraint terms_versions_pkey PRIMARY KEY (workspace_id, template_id, version)
);
alter table terms_versions enable row level security;
alter table terms_versions force row level security;
create policy read_shared on terms_versions for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on terms_versions for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant insert, select on terms_versions to atrium_program;

create table ticket_messages (
  workspace_id uuid not null,
  message_id uuid not null,
  ticket_id uuid not null,
  member_id uuid not null,
  "position" integer not null,
  type text not null,
  content text,
  media_id uuid,
  staff_id uuid,
  staff_name text,
  created_at timestamp with time zone not null,
  constraint says_something CHECK (
CASE type
    WHEN 'message'::text THEN (content IS NOT NULL)
    ELSE (media_id IS NOT NULL)
END),
  constraint staff_has_name CHECK (((staff_id IS NULL) = (staff_name IS NULL))),
  constraint ticket_messages_content_check CHECK (((length(content) >= 1) AND (length(content) <= 5000))),
  constraint ticket_messages_position_check CHECK (("position" > 0)),
  constraint ticket_messages_type_check CHECK ((type = ANY (ARRAY['message'::text, 'attachment'::text]))),
  constraint ticket_messages_workspace_id_media_id_member_id_fkey FOREIGN KEY (workspace_id, media_id, member_id) REFERENCES media(workspace_id, media_id, member_id),
  constraint ticket_messages_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint ticket_messages_workspace_id_ticket_id_member_id_fkey FOREIGN KEY (workspace_id, ticket_id, member_id) REFERENCES tickets(workspace_id, ticket_id, member_id),
  constraint ticket_messages_pkey PRIMARY KEY (workspace_id, message_id),
  constraint ticket_messages_workspace_id_media_id_key UNIQUE (workspace_id, media_id),
  constraint ticket_messages_workspace_id_ticket_id_position_key UNIQUE (workspace_id, ticket_id, "position")
);
alter table ticket_messages enable row level security;
alter table ticket_messages force row level security;
create policy own on ticket_messages for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on ticket_messages to atrium_program;
CREATE TRIGGER guard_ticket_message BEFORE INSERT OR UPDATE ON ticket_messages FOR EACH ROW EXECUTE FUNCTION guard_ticket_message();
CREATE TRIGGER guard_ticket_removal BEFORE DELETE ON ticket_messages FOR EACH ROW EXECUTE FUNCTION guard_ticket_removal();

create table ticket_notes (
  workspace_id uuid not null,
  note_id uuid not null,
  ticket_id uuid not null,
  member_id uuid not null,
  content text not null,
  staff_id uuid not null,
  staff_name text not null,
  created_at timestamp with time zone not null,
  after_message integer,
  constraint ticket_notes_content_check CHECK (((length(content) >= 1) AND (length(content) <= 5000))),
  constraint ticket_notes_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint ticket_notes_workspace_id_ticket_id_member_id_fkey FOREIGN KEY (workspace_id, ticket_id, member_id) REFERENCES tickets(workspace_id, ticket_id, member_id),
  constraint ticket_notes_pkey PRIMARY KEY (workspace_id, note_id)
);
CREATE INDEX ticket_notes_of_ticket ON ticket_notes USING btree (workspace_id, ticket_id, created_at);
alter table ticket_notes enable row level security;
alter table ticket_notes force row level security;
create policy desk on ticket_notes for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on ticket_notes to atrium_program;

create table ticket_reads (
  workspace_id uuid not null,
  ticket_id uuid not null,
  staff_id uuid not null,
  "position" integer not null,
  constraint ticket_reads_position_check CHECK (("position" >= 0)),
  constraint ticket_reads_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint ticket_reads_workspace_id_ticket_id_fkey FOREIGN KEY (workspace_id, ticket_id) REFERENCES tickets(workspace_id, ticket_id),
  constraint ticket_reads_pkey PRIMARY KEY (workspace_id, ticket_id, staff_id)
);
alter table ticket_reads enable row level security;
alter table ticket_reads force row level security;
create policy desk on ticket_reads for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on ticket_reads to atrium_program;

create table tickets (
  workspace_id uuid not null,
  ticket_id uuid not null,
  number bigint not null,
  member_id uuid not null,
  type text not null,
  priority text default 'low'::text not null,
  state text default 'open'::text not null,
  state_since timestamp with time zone not null,
  subject text not null,
  description text not null,
  account_id uuid,
  transaction_id uuid,
  download_id uuid,
  taken_by uuid,
  taken_by_name text,
  merged_into uuid,
  created_at timestamp with time zone not null,
  first_answered_at timestamp with time zone,
  resolved_at timestamp with time zone,
  messages integer default 0 not null,
  last_of_staff integer default 0 not null,
  last_of_member integer default 0 not null,
  read_by_member integer default 0 not null,
  constraint about_one_thing CHECK ((num_nonnulls(account_id, transaction_id, download_id) <= 1)),
  constraint closed_goes_on CHECK ((((state = 'closed'::text) = (merged_into IS NOT NULL)) AND (merged_into <> ticket_id))),
  constraint resolved_at_some_time CHECK (((state <> 'resolved'::text) OR (resolved_at IS NOT NULL))),
  constraint tickets_description_check CHECK (((length(description) >= 1) AND (length(description) <= 2000))),
  constraint tickets_messages_check CHECK ((messages >= 0)),
  constraint tickets_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
  constraint tickets_state_check CHECK ((state = ANY (ARRAY['open'::text, 'taken'::text, 'resolved'::text, 'closed'::text]))),
  constraint tickets_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 120))),
  constraint tickets_type_check CHECK ((type = ANY (ARRAY['general'::text, 'profile'::text]))),
  constraint tickets_workspace_id_account_id_member_id_fkey FOREIGN KEY (workspace_id, account_id, member_id) REFERENCES trading_accounts(workspace_id, account_id, member_id),
  constraint tickets_workspace_id_download_id_fkey FOREIGN KEY (workspace_id, download_id) REFERENCES platform_downloads(workspace_id, download_id),
  constraint tickets_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint tickets_workspace_id_merged_into_member_id_fkey FOREIGN KEY (workspace_id, merged_into, member_id) REFERENCES tickets(workspace_id, ticket_id, member_id),
  constraint tickets_workspace_id_taken_by_fkey FOREIGN KEY (workspace_id, taken_by) REFERENCES staff_users(workspace_id, staff_id),
  constraint tickets_workspace_id_transaction_id_member_id_fkey FOREIGN KEY (workspace_id, transaction_id, member_id) REFERENCES balance_transactions(workspace_id, transaction_id, member_id),
  constraint tickets_pkey PRIMARY KEY (workspace_id, ticket_id),
  constraint tickets_workspace_id_number_key UNIQUE (workspace_id, number),
  constraint tickets_workspace_id_ticket_id_member_id_key UNIQUE (workspace_id, ticket_id, member_id)
);
CREATE INDEX tickets_board ON tickets USING btree (workspace_id, state, state_since, ticket_id) INCLUDE (member_id);
CREATE INDEX tickets_created ON tickets USING btree (workspace_id, created_at);
CREATE INDEX tickets_merged ON tickets USING btree (workspace_id, merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX tickets_of_member ON tickets USING btree (workspace_id, member_id, state, state_since DESC, ticket_id DESC);
CREATE INDEX tickets_taken ON tickets USING btree (workspace_id, taken_by, state_since, ticket_id) WHERE (state = 'taken'::text);
CREATE INDEX tickets_waiting ON tickets USING btree (workspace_id, member_id) WHERE ((state = 'open'::text) OR ((state = 'taken'::text) AND (last_of_member >= last_of_staff)));
alter table tickets enable row level security;
alter table tickets force row level security;
create policy own on tickets for all using ((workspace_id = ( SELECT scope_workspace() AS scope_workspace)) AND CASE ( SELECT scope_actor() AS scope_actor) WHEN 'member'::text THEN (member_id = ( SELECT scope_member() AS scope_member)) WHEN 'staff'::text THEN true WHEN 'system'::text THEN true ELSE false END) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on tickets to atrium_program;
CREATE TRIGGER guard_new_ticket BEFORE INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION guard_new_ticket();
CREATE TRIGGER guard_ticket BEFORE UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION guard_ticket();
CREATE TRIGGER guard_ticket_removal BEFORE DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION guard_ticket_removal();

create table totp_factors (
  workspace_id uuid not null,
  totp_id uuid not null,
  member_id uuid,
  staff_id uuid,
  sealed_secret bytea not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint,
  removed_at timestamp with time zone,
  constraint totp_factors_check CHECK (((member_id IS NULL) <> (staff_id IS NULL))),
  constraint totp_factors_check1 CHECK (((confirmed_at IS NULL) = (last_step IS NULL))),
  constraint totp_factors_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint totp_factors_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint totp_factors_pkey PRIMARY KEY (workspace_id, totp_id)
);
CREATE UNIQUE INDEX totp_factors_member ON totp_factors USING btree (workspace_id, member_id) WHERE ((confirmed_at IS NOT NULL) AND (removed_at IS NULL));
CREATE INDEX totp_factors_of_member ON totp_factors USING btree (workspace_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX totp_factors_of_staff ON totp_factors USING btree (workspace_id, staff_id) WHERE (staff_id IS NOT NULL);
CREATE UNIQUE INDEX totp_factors_staff ON totp_factors USING btree (workspace_id, staff_id) WHERE ((confirmed_at IS NOT NULL) AND (removed_at IS NULL));
alter table totp_factors enable row level security;
alter table totp_factors force row level security;
create policy own on totp_factors for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on totp_factors to atrium_program;

create table trade_deals (
  workspace_id uuid not null,
  account_id uuid not null,
  deal_id numeric(20,0) not null,
  member_id uuid not null,
  order_id text,
  position_id text,
  is_trade boolean not null,
  cmd text not null,
  entry smallint not null,
  symbol text not null,
  volume numeric not null,
  price numeric not null,
  open_price numeric,
  sl numeric,
  tp numeric,
  profit numeric not null,
  swap numeric not null,
  commission numeric not null,
  fee numeric not null,
  at timestamp with time zone not null,
  opened_at timestamp with time zone,
  state smallint not null,
  reason integer not null,
  comment text not null,
  constraint trade_deals_entry_check CHECK (((entry >= 0) AND (entry <= 3))),
  constraint trade_deals_workspace_id_account_id_member_id_fkey FOREIGN KEY (workspace_id, account_id, member_id) REFERENCES trading_accounts(workspace_id, account_id, member_id),
  constraint trade_deals_pkey PRIMARY KEY (workspace_id, account_id, deal_id)
);
CREATE INDEX trade_deals_newest ON trade_deals USING btree (workspace_id, account_id, at, deal_id);
CREATE INDEX trade_deals_position ON trade_deals USING btree (workspace_id, account_id, position_id) WHERE (is_trade AND (entry = 0));
CREATE INDEX trade_deals_symbol ON trade_deals USING btree (workspace_id, account_id, symbol, at, deal_id) WHERE is_trade;
alter table trade_deals enable row level security;
alter table trade_deals force row level security;
create policy added_by_the_program on trade_deals as restrictive for insert with check (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]));
create policy changed_by_the_program on trade_deals as restrictive for update using (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]));
create policy own on trade_deals for all using ((workspace_id = ( SELECT scope_workspace() AS scope_workspace)) AND CASE ( SELECT scope_actor() AS scope_actor) WHEN 'member'::text THEN (member_id = ( SELECT scope_member() AS scope_member)) WHEN 'staff'::text THEN true WHEN 'system'::text THEN true ELSE false END) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
create policy removed_by_the_program on trade_deals as restrictive for delete using (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]));
grant delete, insert, select, update on trade_deals to atrium_program;

create table trade_histories (
  workspace_id uuid not null,
  account_id uuid not null,
  member_id uuid not null,
  platform_id uuid not null,
  read_from timestamp with time zone,
  read_to timestamp with time zone,
  is_complete boolean default false not null,
  step_seconds integer default 86400 not null,
  read_at timestamp with time zone,
  failing_since timestamp with time zone,
  asked_at timestamp with time zone not null,
  queued_at timestamp with time zone,
  reader_id uuid,
  reader_until timestamp with time zone,
  positions jsonb,
  positions_read_at timestamp with time zone,
  constraint trade_histories_check CHECK (((read_from IS NULL) = (read_to IS NULL))),
  constraint trade_histories_check1 CHECK (((reader_id IS NULL) = (reader_until IS NULL))),
  constraint trade_histories_step_seconds_check CHECK ((step_seconds > 0)),
  constraint trade_histories_workspace_id_account_id_member_id_fkey FOREIGN KEY (workspace_id, account_id, member_id) REFERENCES trading_accounts(workspace_id, account_id, member_id),
  constraint trade_histories_pkey PRIMARY KEY (workspace_id, account_id)
);
CREATE INDEX trade_histories_readers ON trade_histories USING btree (workspace_id, platform_id, reader_until) WHERE (reader_id IS NOT NULL);
alter table trade_histories enable row level security;
alter table trade_histories force row level security;
create policy added_by_the_program on trade_histories as restrictive for insert with check (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]));
create policy changed_by_the_program on trade_histories as restrictive for update using (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]));
create policy own on trade_histories for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
create policy removed_by_the_program on trade_histories as restrictive for delete using (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]));
grant delete, insert, select, update on trade_histories to atrium_program;

create table trading_accounts (
  workspace_id uuid not null,
  account_id uuid not null,
  member_id uuid not null,
  platform_id uuid not null,
  platform_login text not null,
  live_account boolean not null,
  type text,
  group_name text not null,
  leverage integer not null,
  currency text not null,
  status text default 'active'::text not null,
  country_code character(2),
  city text,
  balance numeric,
  equity numeric,
  floating numeric,
  synced_at timestamp with time zone,
  enable_change_password boolean default true not null,
  enable_read_only boolean default false not null,
  archived boolean default false not null,
  deleted boolean default false not null,
  created_at timestamp with time zone not null,
  credit numeric,
  margin numeric,
  margin_free numeric,
  margin_level numeric,
  asked_at timestamp with time zone,
  asked_by uuid,
  access_leased_until timestamp with time zone,
  person_due_since timestamp with time zone,
  platform_registered_at timestamp with time zone,
  main_password_due boolean default false not null,
  investor_password_due boolean default false not null,
  constraint trading_accounts_leverage_check CHECK ((leverage > 0)),
  constraint trading_accounts_platform_login_check CHECK ((platform_login ~ '^[0-9]{1,20}$'::text)),
  constraint trading_accounts_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint trading_accounts_workspace_id_platform_id_fkey FOREIGN KEY (workspace_id, platform_id) REFERENCES trading_platforms(workspace_id, platform_id),
  constraint trading_accounts_pkey PRIMARY KEY (workspace_id, account_id),
  constraint trading_accounts_workspace_id_account_id_member_id_key UNIQUE (workspace_id, account_id, member_id),
  constraint trading_accounts_workspace_id_platform_id_platform_login_key UNIQUE (workspace_id, platform_id, platform_login)
);
CREATE INDEX trading_accounts_by_login ON trading_accounts USING btree (workspace_id, lpad(platform_login, 20, '0'::text) COLLATE "C", account_id);
CREATE INDEX trading_accounts_member ON trading_accounts USING btree (workspace_id, member_id, created_at);
alter table trading_accounts enable row level security;
alter table trading_accounts force row level security;
create policy own on trading_accounts for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
create policy read_for_referrals on trading_accounts for select to the owner using (workspace_id = scope_workspace());
grant delete, insert, select, update on trading_accounts to atrium_program;
CREATE TRIGGER account_words AFTER INSERT OR UPDATE OF platform_login, deleted ON trading_accounts FOR EACH ROW EXECUTE FUNCTION write_member_words();

create table trading_platforms (
  workspace_id uuid not null,
  platform_id uuid not null,
  type text not null,
  name text not null,
  groups jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone not null,
  enabled boolean default true not null,
  version integer default 0 not null,
  client_server text,
  constraint trading_platforms_type_check CHECK ((type = ANY (ARRAY['mt4'::text, 'mt5'::text]))),
  constraint trading_platforms_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint trading_platforms_pkey PRIMARY KEY (workspace_id, platform_id)
);
alter table trading_platforms enable row level security;
alter table trading_platforms force row level security;
create policy read_shared on trading_platforms for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on trading_platforms for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on trading_platforms to atrium_program;

create table transaction_attachments (
  workspace_id uuid not null,
  transaction_id uuid not null,
  media_id uuid not null,
  member_id uuid not null,
  created_at timestamp with time zone not null,
  constraint transaction_attachments_workspace_id_media_id_member_id_fkey FOREIGN KEY (workspace_id, media_id, member_id) REFERENCES media(workspace_id, media_id, member_id),
  constraint transaction_attachments_workspace_id_transaction_id_member_fkey FOREIGN KEY (workspace_id, transaction_id, member_id) REFERENCES balance_transactions(workspace_id, transaction_id, member_id),
  constraint transaction_attachments_pkey PRIMARY KEY (workspace_id, transaction_id, media_id),
  constraint transaction_attachments_workspace_id_media_id_key UNIQUE (workspace_id, media_id)
);
alter table transaction_attachments enable row level security;
alter table transaction_attachments force row level security;
create policy own on transaction_attachments for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on transaction_attachments to atrium_program;

create table transaction_events (
  workspace_id uuid not null,
  event_id uuid not null,
  transaction_id uuid not null,
  member_id uuid not null,
  at timestamp with time zone not null,
  event text not null,
  actor_kind text not null,
  staff_id uuid,
  note text,
  constraint transaction_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['member'::text, 'staff'::text, 'system'::text]))),
  constraint transaction_events_check CHECK (((staff_id IS NULL) OR (actor_kind = 'staff'::text))),
  constraint transaction_events_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint transaction_events_workspace_id_transaction_id_member_id_fkey FOREIGN KEY (workspace_id, transaction_id, member_id) REFERENCES balance_transactions(workspace_id, transaction_id, member_id),
  constraint transaction_events_pkey PRIMARY KEY (workspace_id, event_id)
);
CREATE INDEX transaction_events_transaction ON transaction_events USING btree (workspace_id, transaction_id, event_id);
alter table transaction_events enable row level security;
alter table transaction_events force row level security;
create policy add_log on transaction_events for insert with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
create policy erase_notes on transaction_events for update to the owner using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
create policy read_log on transaction_events for select using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant insert, select on transaction_events to atrium_program;

create table uploads (
  workspace_id uuid not null,
  upload_id uuid not null,
  member_id uuid not null,
  purpose text not null,
  name text not null,
  size_bytes bigint not null,
  received_bytes bigint default 0 not null,
  part_keys text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  touched_at timestamp with time zone not null,
  constraint uploads_check CHECK (((received_bytes >= 0) AND (received_bytes <= size_bytes))),
  constraint uploads_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint uploads_part_keys_check CHECK ((cardinality(part_keys) <= 2000)),
  constraint uploads_purpose_check CHECK ((purpose = ANY (ARRAY['receipt'::text, 'document'::text, 'picture'::text, 'qr'::text, 'ticket'::text, 'video'::text, 'form'::text]))),
  constraint uploads_size_bytes_check CHECK ((size_bytes > 0)),
  constraint uploads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint uploads_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, member_id),
  constraint uploads_pkey PRIMARY KEY (workspace_id, upload_id)
);
CREATE INDEX uploads_age ON uploads USING btree (workspace_id, touched_at);
CREATE INDEX uploads_member ON uploads USING btree (workspace_id, member_id);
alter table uploads enable row level security;
alter table uploads force row level security;
create policy own on uploads for all using ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member())))) with check ((workspace_id = scope_workspace()) AND ((scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])) OR ((scope_actor() = 'member'::text) AND (member_id = scope_member()))));
grant delete, insert, select, update on uploads to atrium_program;

create table valid_documents (
  workspace_id uuid not null,
  valid_document_id uuid not null,
  file_category_id uuid not null,
  name text not null,
  expires boolean not null,
  "position" integer not null,
  created_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint valid_documents_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint valid_documents_position_check CHECK (("position" >= 0)),
  constraint valid_documents_workspace_id_file_category_id_fkey FOREIGN KEY (workspace_id, file_category_id) REFERENCES file_categories(workspace_id, file_category_id),
  constraint valid_documents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint valid_documents_pkey PRIMARY KEY (workspace_id, valid_document_id),
  constraint valid_documents_workspace_id_valid_document_id_file_categor_key UNIQUE (workspace_id, valid_document_id, file_category_id)
);
CREATE INDEX valid_documents_category ON valid_documents USING btree (workspace_id, file_category_id, "position");
alter table valid_documents enable row level security;
alter table valid_documents force row level security;
create policy read_shared on valid_documents for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on valid_documents for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on valid_documents to atrium_program;

create table withdrawal_approvals (
  workspace_id uuid not null,
  transaction_id uuid not null,
  round smallint not null,
  staff_id uuid not null,
  approved_at timestamp with time zone not null,
  constraint withdrawal_approvals_workspace_id_staff_id_fkey FOREIGN KEY (workspace_id, staff_id) REFERENCES staff_users(workspace_id, staff_id),
  constraint withdrawal_approvals_workspace_id_transaction_id_fkey FOREIGN KEY (workspace_id, transaction_id) REFERENCES balance_transactions(workspace_id, transaction_id),
  constraint withdrawal_approvals_pkey PRIMARY KEY (workspace_id, transaction_id, round, staff_id)
);
alter table withdrawal_approvals enable row level security;
alter table withdrawal_approvals force row level security;
create policy desk on withdrawal_approvals for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on withdrawal_approvals to atrium_program;

create table workspace_logos (
  workspace_id uuid not null,
  logo_id uuid not null,
  content_type text not null,
  content bytea not null,
  created_at timestamp with time zone not null,
  constraint workspace_logos_content_check CHECK (((length(content) >= 1) AND (length(content) <= 200000))),
  constraint workspace_logos_content_type_check CHECK ((content_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
  constraint workspace_logos_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  constraint workspace_logos_pkey PRIMARY KEY (workspace_id, logo_id)
);
alter table workspace_logos enable row level security;
alter table workspace_logos force row level security;
create policy read_shared on workspace_logos for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on workspace_logos for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on workspace_logos to atrium_program;

create table workspaces (
  workspace_id uuid not null,
  subdomain text not null,
  is_default boolean default false not null,
  name text not null,
  accent text default '#1f6feb'::text not null,
  logo_url text,
  support_email text,
  features jsonb default '{}'::jsonb not null,
  settings jsonb default '{}'::jsonb not null,
  vendors text[] default '{}'::text[] not null,
  departments text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  versions jsonb default '{}'::jsonb not null,
  restored_at timestamp with time zone,
  revision uuid default gen_random_uuid() not null,
  constraint workspaces_accent_check CHECK ((accent ~ '^#[0-9a-fA-F]{6}$'::text)),
  constraint workspaces_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint workspaces_subdomain_check CHECK ((subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  constraint workspaces_pkey PRIMARY KEY (workspace_id)
);
CREATE UNIQUE INDEX workspaces_default ON workspaces USING btree (is_default) WHERE is_default;
CREATE UNIQUE INDEX workspaces_subdomain ON workspaces USING btree (subdomain);
alter table workspaces enable row level security;
alter table workspaces force row level security;
create policy read_directory on workspaces for select to the owner using true;
create policy read_shared on workspaces for select using ((workspace_id = scope_workspace()) AND (scope_actor() IS NOT NULL));
create policy write_shared on workspaces for all using ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text]))) with check ((workspace_id = scope_workspace()) AND (scope_actor() = ANY (ARRAY['staff'::text, 'system'::text])));
grant delete, insert, select, update on workspaces to atrium_program;
CREATE TRIGGER renew_revision BEFORE UPDATE ON workspaces FOR EACH ROW EXECUTE FUNCTION renew_workspace_revision();

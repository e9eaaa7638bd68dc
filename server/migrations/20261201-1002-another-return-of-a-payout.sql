-- Staff report another return of a payout that a provider does not tell from the first: an exception of its own reason, whose
-- every decision takes two people. The version before offers no credit for it.
create or replace function guard_payment_case() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

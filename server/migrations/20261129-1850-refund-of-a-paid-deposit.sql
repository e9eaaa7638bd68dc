-- A provider's deposit that a platform refused is paid: it has been in `crediting`, which takes a payment that counts, and is in its
-- second round or later. It is credited, or ends with the refund that staff recorded; its member cannot cancel it.
create or replace function guard_paid_once() returns trigger language plpgsql as $$
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
end $$;

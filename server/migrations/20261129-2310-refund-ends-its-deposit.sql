-- A deposit whose platform refused the credit ends in the transaction that records its refund: the provider's money would otherwise be
-- refunded and still be credited by a later approval. A process of the previous version closes such an exception like any other and
-- leaves the deposit pending; its commit fails, and the exception stays open. At the end of the transaction, because the deposit is
-- rejected only once its refund is recorded (guard_paid_once).
create function guard_recorded_refund() returns trigger language plpgsql as $$
begin
  if not exists (
      select from payment_credits credited join balance_transactions deposit
        on deposit.workspace_id = credited.workspace_id and deposit.transaction_id = credited.transaction_id
      where credited.workspace_id = new.workspace_id and credited.provider_id = new.provider_id
        and credited.payment = new.claims and deposit.state = 'rejected') then
    raise exception 'a refunded deposit is not pending' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger guard_recorded_refund after update on payment_cases deferrable initially deferred
  for each row
  when (new.why = 'credit_refused' and new.decision = 'given_back' and new.state = 'closed' and old.state <> 'closed')
  execute function guard_recorded_refund();

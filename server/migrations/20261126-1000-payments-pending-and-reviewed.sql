-- An order stays open for as long as its provider says that the payment is pending, from when it said so first.
alter table deposit_orders add column pending_since timestamptz;

-- A word that an adapter does not know, and a payment that is pending for too long, are cases of their own beside others about
-- the same payment: the case is named by both, and what a credit claims is the payment alone.
alter table payment_cases add column claims text;

create or replace function guard_payment_case() returns trigger language plpgsql as $$
declare
  words constant text[] := array['note', 'outside_reference'];
begin
  -- Its words go when its member is erased; what was decided stays.
  if old.state = 'closed' and (to_jsonb(new) - words is distinct from to_jsonb(old) - words
      or new.note is not null or new.outside_reference is not null) then
    raise exception 'a decided payment stays decided' using errcode = 'check_violation';
  end if;
  if (new.order_id, new.provider_id, new.payment, new.claims, new.kind, new.why, new.paid, new.paid_currency, new.opened_at)
     is distinct from
     (old.order_id, old.provider_id, old.payment, old.claims, old.kind, old.why, old.paid, old.paid_currency, old.opened_at) then
    raise exception 'a payment stays as it was made' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Money of a paid payout that came back is a payment exception about that payout instead of an order. The version before joins
-- exceptions to their orders, so it does not list these.
alter table payment_cases
  alter column order_id drop not null,
  add column payout_id uuid,
  add constraint about_order_or_payout check (num_nonnulls(order_id, payout_id) = 1),
  add constraint payment_cases_workspace_id_payout_id_fkey
    foreign key (workspace_id, payout_id) references payout_orders (workspace_id, payout_id);
create unique index payment_cases_payout on payment_cases (workspace_id, payout_id, payment, kind) where payout_id is not null;

-- Returns that a process of the version before has read without opening an exception.
create index if not exists payment_notifications_returned on payment_notifications (workspace_id, received_at)
  where why = 'returned' and payout_id is not null;

create or replace function guard_payment_case() returns trigger language plpgsql as $$
declare
  words constant text[] := array['note', 'outside_reference'];
begin
  -- Its words go when its member is erased; what was decided stays.
  if old.state = 'closed' and (to_jsonb(new) - words is distinct from to_jsonb(old) - words
      or new.note is not null or new.outside_reference is not null) then
    raise exception 'a decided payment stays decided' using errcode = 'check_violation';
  end if;
  if (new.order_id, new.payout_id, new.provider_id, new.payment, new.claims, new.kind, new.why, new.paid, new.paid_currency,
      new.opened_at)
     is distinct from
     (old.order_id, old.payout_id, old.provider_id, old.payment, old.claims, old.kind, old.why, old.paid, old.paid_currency,
      old.opened_at) then
    raise exception 'a payment stays as it was made' using errcode = 'check_violation';
  end if;
  -- What came back is credited to the account that it left, at most as reported, and all returns of a payout at most its amount.
  if new.payout_id is not null and new.why <> 'credit_refused' and new.transaction_id is not null and old.transaction_id is null
      and not exists (
        select from payout_orders p
        join balance_transactions w on w.workspace_id = p.workspace_id and w.transaction_id = p.transaction_id
        join balance_transactions c on c.workspace_id = p.workspace_id and c.transaction_id = new.transaction_id
        where p.workspace_id = new.workspace_id and p.payout_id = new.payout_id and p.state = 'paid'
          and new.why = 'payout_returned' and new.paid_currency = p.currency and c.amount <= new.paid
          and c.type = 'deposit' and (c.member_id, c.account_id, c.currency) = (w.member_id, w.account_id, p.currency)
          and c.amount + coalesce((
            select sum(earlier.amount) from payment_cases e
            join balance_transactions earlier
              on earlier.workspace_id = e.workspace_id and earlier.transaction_id = e.transaction_id
            where e.workspace_id = p.workspace_id and e.payout_id = p.payout_id and e.case_id <> new.case_id
              and e.why <> 'credit_refused'), 0) <= p.amount) then
    raise exception 'a payout that came back is credited once, to its account' using errcode = 'check_violation';
  end if;
  return new;
end $$;

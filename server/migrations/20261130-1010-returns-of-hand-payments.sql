-- A transfer that staff made by hand and that the bank returned is a payment exception about its withdrawal, which no provider paid. The
-- version before joins exceptions to their providers, so it neither lists nor decides these.
alter table payment_cases
  alter column provider_id drop not null,
  add column withdrawal_id uuid,
  drop constraint about_order_or_payout,
  add constraint about_one_payment check (num_nonnulls(order_id, payout_id, withdrawal_id) = 1),
  add constraint by_provider_or_hand check ((provider_id is null) = (withdrawal_id is not null)),
  add constraint payment_cases_workspace_id_withdrawal_id_fkey
    foreign key (workspace_id, withdrawal_id) references balance_transactions (workspace_id, transaction_id);
create unique index payment_cases_withdrawal on payment_cases (workspace_id, withdrawal_id, payment) where withdrawal_id is not null;

-- What of a withdrawal's payment came back and was credited, except by this exception. A credit that was rejected is to be decided anew.
create function credited_back(workspace uuid, withdrawal uuid, except_case uuid) returns numeric language sql stable as $$
  select coalesce(sum(c.amount), 0) from payment_cases e
  join balance_transactions c on c.workspace_id = e.workspace_id and c.transaction_id = e.transaction_id
  where e.workspace_id = workspace and e.case_id <> except_case and e.why <> 'credit_refused'
    and (e.withdrawal_id = withdrawal and c.state not in ('rejected', 'cancelled') or e.payout_id = any (array(
      select p.payout_id from payout_orders p where p.workspace_id = workspace and p.transaction_id = withdrawal)))
$$;

create or replace function guard_payment_case() returns trigger language plpgsql as $$
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
          and case when new.withdrawal_id is null then p.state = 'paid' and new.why = 'payout_returned'
            else w.type = 'withdrawal' and w.state = 'approved' and new.why = 'transfer_returned' end
          and new.paid_currency = w.currency and c.amount <= new.paid
          and c.type = 'deposit' and (c.member_id, c.account_id, c.currency) = (w.member_id, w.account_id, w.currency)
          and c.amount + credited_back(w.workspace_id, w.transaction_id, new.case_id) <= coalesce(p.amount, w.amount - w.fee)) then
    raise exception 'a payout that came back is credited once, to its account' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A deposit that credits a returned transfer and that the platform refused is the member's money: it is rejected only in the
-- transaction that opens the question anew. A process of the version before rejects it like any other, and its commit fails.
create function guard_returned_transfer() returns trigger language plpgsql as $$
begin
  if exists (select from payment_cases credited where credited.workspace_id = new.workspace_id
      and credited.transaction_id = new.transaction_id and credited.withdrawal_id is not null
      and not exists (select from payment_cases anew where anew.workspace_id = credited.workspace_id
        and anew.withdrawal_id = credited.withdrawal_id and anew.claims = credited.claims and anew.state <> 'closed')) then
    raise exception 'money that came back is not rejected' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger guard_returned_transfer after update on balance_transactions deferrable initially deferred
  for each row
  when (new.type = 'deposit' and new.state in ('rejected', 'cancelled') and old.state = 'pending' and old.approval_round > 1)
  execute function guard_returned_transfer();

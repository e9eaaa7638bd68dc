-- Payments that were made and that nobody may credit by itself: another amount, too late, a second time, or sent back. One row
-- for each payment of an order, and what a person made of it. The program's rules live in server/payment-providers/case*.ts.

create table payment_cases (
  workspace_id uuid not null,
  case_id uuid not null,
  order_id uuid not null,
  provider_id uuid not null,
  -- The provider's number of the payment; our own name of the try where it gave none.
  payment text not null,
  -- paid: money came. returned: it went back.
  kind text not null check (kind in ('paid', 'returned')),
  why text not null,
  paid numeric,
  paid_currency text,
  word text not null,
  opened_at timestamptz not null,
  -- proposed: one person has said to credit it, and it takes a second.
  state text not null default 'open' check (state in ('open', 'proposed', 'closed')),
  decision text check (decision in ('credit_agreed', 'credit_paid', 'given_back', 'explained')),
  note text,
  outside_reference text,
  proposed_by uuid,
  decided_by uuid,
  decided_at timestamptz,
  -- The movement that it was credited with.
  transaction_id uuid,
  primary key (workspace_id, case_id),
  unique (workspace_id, order_id, payment, kind),
  foreign key (workspace_id, order_id) references deposit_orders (workspace_id, order_id),
  foreign key (workspace_id, provider_id) references payment_providers (workspace_id, provider_id),
  foreign key (workspace_id, proposed_by) references staff_users (workspace_id, staff_id),
  foreign key (workspace_id, decided_by) references staff_users (workspace_id, staff_id),
  foreign key (workspace_id, transaction_id) references balance_transactions (workspace_id, transaction_id),
  constraint closed_by_somebody check ((state = 'closed') = (decided_by is not null and decided_at is not null)),
  constraint decided_after_open check ((state = 'open') = (decision is null)),
  constraint proposed_by_somebody check (state <> 'proposed' or proposed_by is not null),
  constraint two_people check (proposed_by is null or decided_by is null or proposed_by <> decided_by),
  constraint credited_has_movement check ((transaction_id is not null) = (state = 'closed' and decision in ('credit_agreed', 'credit_paid'))),
  constraint returned_is_not_credited check (kind = 'paid' or decision is null or decision in ('given_back', 'explained'))
);
create index payment_cases_waiting on payment_cases (workspace_id, opened_at, case_id) where state <> 'closed';
create index payment_cases_list on payment_cases (workspace_id, case_id desc);
select protect_table('payment_cases', 'desk');

create function guard_payment_case() returns trigger language plpgsql as $$
begin
  if old.state = 'closed' then
    raise exception 'a decided payment stays decided' using errcode = 'check_violation';
  end if;
  if (new.order_id, new.provider_id, new.payment, new.kind, new.why, new.paid, new.paid_currency, new.opened_at)
     is distinct from
     (old.order_id, old.provider_id, old.payment, old.kind, old.why, old.paid, old.paid_currency, old.opened_at) then
    raise exception 'a payment stays as it was made' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_payment_case before update on payment_cases
  for each row execute function guard_payment_case();

-- Each payment that was credited, by the program or by a person: once, whoever comes second and by whichever order.
create table payment_credits (
  workspace_id uuid not null,
  provider_id uuid not null,
  payment text not null,
  transaction_id uuid not null,
  credited_at timestamptz not null,
  primary key (workspace_id, provider_id, payment),
  unique (workspace_id, transaction_id),
  foreign key (workspace_id, provider_id) references payment_providers (workspace_id, provider_id),
  foreign key (workspace_id, transaction_id) references balance_transactions (workspace_id, transaction_id)
);
select protect_table('payment_credits', 'desk');
-- What was credited is never taken off the list.
revoke update, delete on payment_credits from atrium_program;

-- Payouts by providers: one row for each try to pay a debited withdrawal out. The program's rules live in
-- server/payment-providers/payout-*.ts; what stands here is the second guard of the same rules.
create table payout_orders (
  workspace_id uuid not null,
  payout_id uuid not null,
  transaction_id uuid not null,
  member_id uuid not null,
  provider_id uuid not null,
  -- Our name for this try at the provider, used for one call and never again.
  attempt text not null check (attempt ~ '^wd-[a-z0-9-]{8,40}$'),
  -- The provider's name for it.
  reference text,
  -- What the member gets: the withdrawal's amount less its fee.
  amount numeric not null check (amount > 0),
  currency text not null,
  -- created: nothing was sent. sending: the call is under way. checking: whether the provider has it is not known.
  -- accepted: the provider has it. paid and declined: proven, final. for_staff: a person has to look. dropped: never sent,
  -- or unknown to the provider, and another way was chosen.
  state text not null check (state in ('created', 'sending', 'checking', 'accepted', 'paid', 'declined', 'for_staff', 'dropped')),
  -- The provider's words, for the desk.
  problem text,
  -- Why a person has to look.
  staff_reason text,
  -- How often a call was about to be made; more than once only where nothing had been sent.
  sends integer not null default 0,
  -- Since when the provider has said that it does not know it.
  absent_since timestamptz,
  next_look_at timestamptz not null,
  looks integer not null default 0,
  created_at timestamptz not null,
  sent_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, payout_id),
  unique (workspace_id, provider_id, attempt),
  unique (workspace_id, provider_id, reference),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, provider_id) references payment_providers (workspace_id, provider_id),
  foreign key (workspace_id, transaction_id, member_id) references balance_transactions (workspace_id, transaction_id, member_id),
  constraint payout_staff_have_a_reason check (state <> 'for_staff' or staff_reason is not null)
);
-- One that may pay, or has paid, for each withdrawal.
create unique index payout_orders_one on payout_orders (workspace_id, transaction_id) where state not in ('declined', 'dropped');
create index payout_orders_transaction on payout_orders (workspace_id, transaction_id, created_at);
create index payout_orders_due on payout_orders (workspace_id, next_look_at) where state in ('created', 'sending', 'checking', 'accepted');
create index payout_orders_staff on payout_orders (workspace_id, created_at) where state = 'for_staff';
create index payout_orders_member on payout_orders (workspace_id, member_id);
select protect_table('payout_orders', 'desk');

create function guard_payout_order() returns trigger language plpgsql as $$
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
end $$;
create trigger guard_payout_order before update on payout_orders
  for each row execute function guard_payout_order();

-- A payout is of a withdrawal that was debited and is not paid yet, and of exactly what its member is due.
create function guard_new_payout_order() returns trigger language plpgsql as $$
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
end $$;
create trigger guard_new_payout_order before insert on payout_orders
  for each row execute function guard_new_payout_order();

-- While a provider may still pay nobody else does, and what a provider has paid is not given back.
create function guard_paid_once() returns trigger language plpgsql as $$
begin
  if old.state = 'paying' and new.state in ('approved', 'returning') and exists (
      select from payout_orders p where p.workspace_id = old.workspace_id and p.transaction_id = old.transaction_id
        and (p.state in ('created', 'sending', 'checking', 'accepted', 'for_staff')
          or (p.state = 'paid' and new.state = 'returning'))) then
    raise exception 'a provider has this payout' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_paid_once before update on balance_transactions
  for each row execute function guard_paid_once();

-- What providers say of payouts comes in at the same address.
alter table payment_notifications
  add column payout_id uuid,
  add foreign key (workspace_id, payout_id) references payout_orders (workspace_id, payout_id),
  add constraint about_one_thing check (order_id is null or payout_id is null);
create index payment_notifications_payout on payment_notifications (workspace_id, payout_id);

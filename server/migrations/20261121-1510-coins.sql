-- Deposits in coins: the coin that an order is paid in, when coins were first seen on their way, and which coins a
-- provider takes at the moment, as it said last.

alter table deposit_orders
  add column coin text check (coin ~ '^[A-Za-z0-9.]{1,20}$'),
  add column seen_at timestamptz;

create function guard_order_coin() returns trigger language plpgsql as $$
begin
  if new.coin is distinct from old.coin then
    raise exception 'an order keeps its coin' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_order_coin before update on deposit_orders for each row execute function guard_order_coin();

alter table payment_providers
  add column coins jsonb,
  add column coins_read_at timestamptz;

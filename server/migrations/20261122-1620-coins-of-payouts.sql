-- Payouts in coins: which coin, and how much of it, beside the amount that it is worth. What the provider said first of how
-- much it sends is what it must go on saying.
alter table payout_orders
  add column coin text check (coin ~ '^[A-Za-z0-9.]{1,20}$'),
  add column coin_amount numeric check (coin_amount > 0),
  add constraint coin_amount_of_a_coin check (coin_amount is null or coin is not null);

create function guard_payout_coin() returns trigger language plpgsql as $$
begin
  if new.coin is distinct from old.coin then
    raise exception 'a payout keeps its coin' using errcode = 'check_violation';
  end if;
  if old.coin_amount is not null and new.coin_amount is distinct from old.coin_amount then
    raise exception 'how much of a coin is sent is written once' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_payout_coin before update on payout_orders
  for each row execute function guard_payout_coin();

-- Some networks share an address among many, and tell them apart by a tag: coins without it are lost.
alter table fund_accounts add column address_tag text;

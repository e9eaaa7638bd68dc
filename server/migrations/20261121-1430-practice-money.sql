-- Practice money is credited without anybody looking at it, so the database itself keeps it off live accounts.
create function guard_practice_money() returns trigger language plpgsql as $$
begin
  if new.payment_method = 'demo' and exists (
    select from trading_accounts
    where workspace_id = new.workspace_id and account_id = new.account_id and live_account) then
    raise exception 'practice money is for demo accounts' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger guard_practice_money before insert or update of payment_method, account_id on balance_transactions
  for each row execute function guard_practice_money();

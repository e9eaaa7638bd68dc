-- Copies the deals of some accounts at a time, one transaction each; a repeated run copies only missing deals. Rows are locked while they
-- are copied; otherwise a deal that is deleted meanwhile would come back. It works brokerage by brokerage: row security applies to an
-- owner who is no superuser, and without a workspace it would show no rows and no error.
create or replace procedure copy_trade_deals(accounts_at_once int default 100) language plpgsql as $$
declare
  brokerage uuid;
  last_account uuid;
  piece uuid[];
begin
  for brokerage in select list_workspace_ids() loop
    last_account := '00000000-0000-0000-0000-000000000000';
    loop
      perform set_config('atrium.workspace_id', brokerage::text, true), set_config('atrium.actor_kind', 'system', true);
      select array_agg(account_id order by account_id) into piece from (
        select account_id from trading_accounts
          where workspace_id = brokerage and account_id > last_account order by account_id limit accounts_at_once) as next;
      exit when piece is null;
      with held as (select * from trade_deals where workspace_id = brokerage and account_id = any (piece) for share)
      insert into trade_deals_parted select * from held on conflict do nothing;
      last_account := piece[cardinality(piece)];
      commit;
    end loop;
  end loop;
end $$;
call copy_trade_deals();

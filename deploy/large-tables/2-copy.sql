-- Some accounts at a time, each in a transaction of its own; run again, it goes on with what is missing. Rows are held while they
-- are copied: one that is deleted at the same moment would come back as a ghost.
create or replace procedure copy_trade_deals(accounts_at_once int default 100) language plpgsql as $$
declare
  last_account uuid := '00000000-0000-0000-0000-000000000000';
  piece uuid[];
begin
  loop
    select array_agg(account_id order by account_id) into piece from (
      select account_id from trading_accounts where account_id > last_account order by account_id limit accounts_at_once) as next;
    exit when piece is null;
    with held as (select * from trade_deals where account_id = any (piece) for share)
    insert into trade_deals_parted select * from held on conflict do nothing;
    last_account := piece[cardinality(piece)];
    commit;
  end loop;
end $$;
call copy_trade_deals();

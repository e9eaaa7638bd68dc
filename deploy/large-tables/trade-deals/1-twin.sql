-- Creates a table beside trade_deals with eight partitions by account. From here on every change is written to both. Run it as the
-- database's owner.
begin;
set local lock_timeout = '5s';
create table trade_deals_parted (like trade_deals including all) partition by hash (account_id);
alter table trade_deals_parted add foreign key (workspace_id, account_id, member_id)
  references trading_accounts (workspace_id, account_id, member_id);
do $$ begin
  for part in 0..7 loop
    execute format(
      'create table trade_deals_part_%s partition of trade_deals_parted for values with (modulus 8, remainder %s)', part, part);
  end loop;
end $$;

create function mirror_trade_deal() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if tg_op <> 'INSERT' then
    delete from trade_deals_parted
      where workspace_id = old.workspace_id and account_id = old.account_id and deal_id = old.deal_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into trade_deals_parted select new.*;
  end if;
  return null;
end $$;
create trigger mirror_trade_deal after insert or update or delete on trade_deals
  for each row execute function mirror_trade_deal();
commit;

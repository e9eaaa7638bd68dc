-- Counts both tables in one snapshot, without a lock, then swaps them under a lock of a few milliseconds. The old table stays as
-- trade_deals_before.
begin;
set local lock_timeout = '5s';
do $$
declare
  brokerage uuid;
  missing bigint;
begin
  for brokerage in select list_workspace_ids() loop
    perform set_config('atrium.workspace_id', brokerage::text, true), set_config('atrium.actor_kind', 'system', true);
    select (select count(*) from trade_deals where workspace_id = brokerage)
      - (select count(*) from trade_deals_parted where workspace_id = brokerage) into missing;
    if missing <> 0 then
      raise exception 'The partitions miss % deals of workspace %: run 2-copy.sql again. Nothing was swapped.',
        missing, brokerage;
    end if;
  end loop;
end $$;
lock table trade_deals in access exclusive mode;
drop trigger mirror_trade_deal on trade_deals;
drop function mirror_trade_deal();
drop procedure copy_trade_deals;
do $$
declare
  rule record;
begin
  for rule in select * from pg_policies where schemaname = 'public' and tablename = 'trade_deals' loop
    execute format('create policy %I on trade_deals_parted as %s for %s to %s', rule.policyname, rule.permissive, rule.cmd,
      array_to_string(rule.roles, ', ')) || coalesce(' using (' || rule.qual || ')', '')
      || coalesce(' with check (' || rule.with_check || ')', '');
  end loop;
end $$;
alter table trade_deals_parted enable row level security;
alter table trade_deals_parted force row level security;
grant select, insert, update, delete on trade_deals_parted to atrium_program;
alter table trade_deals rename to trade_deals_before;
alter table trade_deals_parted rename to trade_deals;
revoke all on trade_deals_before from atrium_program;
commit;

-- With the state in the index, the count of a member's transactions reads no row; each of its rows is on another page. A change of a
-- state renews the entry anyway, since other indexes contain the state.

-- A cancelled `create index concurrently` by hand leaves an index that no query uses.
do $$
begin
  if exists (select from pg_index where indexrelid = to_regclass('balance_transactions_shown') and not indisvalid) then
    drop index balance_transactions_shown;
  end if;
end
$$;
create index if not exists balance_transactions_shown
  on balance_transactions (workspace_id, member_id, created_at desc, transaction_id desc) include (state);
drop index if exists balance_transactions_member;

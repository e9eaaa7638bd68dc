-- With the state in the index, the count of a member's transactions reads no row: a row of each is on another page. Every change
-- of a state renews the entry anyway, since another index begins with the state.
create index if not exists balance_transactions_shown
  on balance_transactions (workspace_id, member_id, created_at desc, transaction_id desc) include (state);
drop index if exists balance_transactions_member;

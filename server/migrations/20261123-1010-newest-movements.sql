-- The desk's whole history of deposits and of withdrawals, in the order of time: without it every page sorts all there are.
create index if not exists balance_transactions_newest
  on balance_transactions (workspace_id, type, created_at, transaction_id);

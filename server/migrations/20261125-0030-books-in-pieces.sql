-- The books are looked at in pieces: where the walk through all movements goes on, null at their beginning.
alter table ledger_checks add column if not exists walked_to uuid;
-- What moved a movement, and what was moved lately. By hand beforehand where there are millions (docs/upgrading.md).
create index if not exists platform_intents_transaction on platform_intents (workspace_id, transaction_id);
create index if not exists platform_intents_newest on platform_intents (workspace_id, created_at);

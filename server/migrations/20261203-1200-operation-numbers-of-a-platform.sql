-- A platform numbers its operations once, not per account: an operation that staff name is looked up among all intents of the platform.
-- A later version can make these keys unique; the version before may still name one operation for two accounts.
-- By hand beforehand where there are millions (docs/operators/upgrading.md).
create index if not exists platform_intents_ticket on platform_intents (workspace_id, platform_id, ticket) where ticket is not null;
create index if not exists platform_intents_named on platform_intents (workspace_id, platform_id, decided_ticket)
  where decided_ticket is not null;

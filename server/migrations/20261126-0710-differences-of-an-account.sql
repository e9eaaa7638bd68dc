-- What was to be looked into at one account: a member's are handed out and emptied without looking through all the days.
create index if not exists reconciliation_differences_account on reconciliation_differences (workspace_id, account_id)
  where account_id is not null;

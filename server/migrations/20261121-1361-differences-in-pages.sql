-- Differences are walked page by page, those decided long ago included.
create index account_differences_by_state on account_differences (workspace_id, state, first_seen_at, difference_id);
drop index account_differences_open;

-- Where a platform does not agree with our books, so that what it said stays while it cannot be asked. Empty for what stands in
-- our rows alone.
alter table ledger_findings add column platform_id uuid;
alter table ledger_findings add column platform_login text;

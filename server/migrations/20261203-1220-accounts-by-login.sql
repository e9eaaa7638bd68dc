-- The order of the desk's accounts by number: a number as text sorts 10 before 9. Twenty digits are the most that a login has.
-- By hand beforehand where there are millions (docs/operators/upgrading.md).
create index if not exists trading_accounts_by_login on trading_accounts (workspace_id, lpad(platform_login, 20, '0') collate "C", account_id);

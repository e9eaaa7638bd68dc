-- When the platform registered the account, as first seen there. Another time later means that its number was given to somebody else.
-- Null until a comparison has seen the account.
alter table trading_accounts add column platform_registered_at timestamptz;

-- When a process last set out to read an account at its platform: another one that comes within the second need not.
-- Both columns change every second while somebody watches, so rows have room to change in place.
alter table trading_accounts add column asked_at timestamptz;
alter table trading_accounts set (fillfactor = 70);

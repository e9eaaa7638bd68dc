-- While one of the staff changes an account's access on its platform, nobody else does; a process that died meanwhile keeps it no longer than this.
alter table trading_accounts add column access_leased_until timestamptz;

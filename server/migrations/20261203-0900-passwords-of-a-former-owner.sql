-- Passwords of an account that a former owner may still know; its owner has not set others since. The version before sets none,
-- and leaves them due after a change.
alter table trading_accounts
  add column main_password_due boolean not null default false,
  add column investor_password_due boolean not null default false;

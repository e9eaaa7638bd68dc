-- What the platform says of an account beside balance, equity and floating P&L.
alter table trading_accounts
  add column credit numeric,
  add column margin numeric,
  add column margin_free numeric,
  add column margin_level numeric;
comment on column trading_accounts.margin_level is 'In percent; null while nothing is open.';

-- Which process asks about an account for everybody who watches it. It renews that with the figures it keeps, so nothing needs
-- to be written each second to say who asks.
alter table trading_accounts add column asked_by uuid;

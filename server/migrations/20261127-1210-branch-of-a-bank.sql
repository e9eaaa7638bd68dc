-- What payouts to some countries ask of a bank beside its address; null where nobody said.
alter table bank_accounts
  add column bank_branch text,
  add column postcode text,
  add column routing_number text;

-- Since when an account's platform has not taken the member's new name, email, phone or address; null where it has.
alter table trading_accounts add column person_due_since timestamptz;

-- A platform keeps fields of an account otherwise than they were written: a kind of difference, with the names of the fields.
alter table account_differences drop constraint if exists account_differences_kind_check;
alter table account_differences add constraint account_differences_kind_check
  check (kind in ('unknown_owner', 'gone', 'currency', 'returned', 'fields')) not valid;
alter table account_differences validate constraint account_differences_kind_check;
alter table account_differences drop constraint if exists account_differences_reason_check;
alter table account_differences add constraint account_differences_reason_check
  check (length(reason) between 1 and 200) not valid;
alter table account_differences validate constraint account_differences_reason_check;

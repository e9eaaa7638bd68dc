-- How balance and equity of an account went: one row in five minutes while somebody looks, thinned out as it grows old.
create table account_figures (
  workspace_id uuid not null,
  account_id uuid not null,
  member_id uuid not null,
  at timestamptz not null,
  balance numeric not null,
  equity numeric not null,
  primary key (workspace_id, account_id, at),
  foreign key (workspace_id, account_id, member_id) references trading_accounts (workspace_id, account_id, member_id)
);
select protect_table('account_figures', 'own');
comment on column account_figures.at is 'The beginning of the five minutes in which the platform said so.';

-- Files that members hand in, and the bank accounts that deposits name.

create table media (
  workspace_id uuid not null,
  media_id uuid not null,
  member_id uuid not null,
  purpose text not null check (purpose in ('receipt', 'document')),
  kind text not null check (kind in ('image', 'file')),
  name text not null check (length(name) between 1 and 255),
  extension text not null,
  content_type text not null,
  size_bytes bigint not null check (size_bytes > 0),
  sha256 bytea not null check (length(sha256) = 32),
  storage_key text not null,
  created_at timestamptz not null,
  primary key (workspace_id, media_id),
  unique (workspace_id, storage_key),
  unique (workspace_id, media_id, member_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id)
);
create index media_member on media (workspace_id, member_id);
select protect_table('media', 'own');

create table bank_accounts (
  workspace_id uuid not null,
  bank_account_id uuid not null,
  member_id uuid not null,
  currency text not null,
  account_holder text not null,
  bank_account text,
  iban_number text,
  swift text not null,
  bank_name text not null,
  country_code char(2),
  address_line_1 text,
  city text,
  state text,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (workspace_id, bank_account_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  check (bank_account is not null or iban_number is not null)
);
create index bank_accounts_member on bank_accounts (workspace_id, member_id);
select protect_table('bank_accounts', 'own');

create table company_bank_accounts (
  workspace_id uuid not null references workspaces (workspace_id),
  company_bank_account_id uuid not null,
  currency text not null,
  account_holder text not null,
  bank_account text,
  iban_number text,
  swift text,
  bank_name text not null,
  address_line_1 text,
  identifier text,
  notes text,
  sort_code text,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (workspace_id, company_bank_account_id)
);
select protect_table('company_bank_accounts', 'shared');

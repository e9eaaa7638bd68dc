-- Members (a brokerage's clients), staff (its desk), and the sessions of both.

create table members (
  workspace_id uuid not null references workspaces (workspace_id),
  member_id uuid not null,
  customer_number text not null,
  title text,
  first_name text not null,
  last_name text not null,
  email text not null check (length(email) <= 254),
  emails text[] not null default '{}',
  phones text[] not null default '{}',
  password_hash text not null,
  type text not null default 'client' check (type in ('client', 'sales_person')),
  status text not null default 'active' check (status in ('active', 'locked')),
  documents_status text not null default 'pending' check (documents_status in ('pending', 'rejected', 'in_verification', 'approved')),
  kyc_category_id uuid,
  permissions text[] not null default '{}',
  created_at timestamptz not null,
  primary key (workspace_id, member_id),
  unique (workspace_id, customer_number)
);
create unique index members_email on members (workspace_id, lower(email));
select protect_table('members', 'own');

create table member_addresses (
  workspace_id uuid not null,
  address_id uuid not null,
  member_id uuid not null,
  address_line_1 text,
  address_line_2 text,
  city text,
  postcode text,
  state text,
  country_code char(2),
  is_primary boolean not null default false,
  primary key (workspace_id, address_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id)
);
create index member_addresses_member on member_addresses (workspace_id, member_id);
select protect_table('member_addresses', 'own');

create table staff_users (
  workspace_id uuid not null references workspaces (workspace_id),
  staff_id uuid not null,
  name text not null,
  email text not null check (length(email) <= 254),
  password_hash text not null,
  role text not null default 'administrator' check (role in ('viewer', 'support', 'finance', 'compliance', 'administrator')),
  status text not null default 'active' check (status in ('active', 'locked')),
  created_at timestamptz not null,
  primary key (workspace_id, staff_id)
);
create unique index staff_users_email on staff_users (workspace_id, lower(email));
select protect_table('staff_users', 'desk');

-- Only hashes of tokens are here: whoever reads the table can sign in as nobody.
create table sessions (
  workspace_id uuid not null,
  session_id uuid not null,
  kind text not null check (kind in ('member', 'staff')),
  member_id uuid,
  staff_id uuid,
  token_hash bytea not null check (length(token_hash) = 32),
  file_token_hash bytea not null check (length(file_token_hash) = 32),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  address inet,
  user_agent text,
  primary key (workspace_id, session_id),
  unique (workspace_id, token_hash),
  unique (workspace_id, file_token_hash),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  check ((kind = 'member') = (member_id is not null) and (kind = 'staff') = (staff_id is not null))
);
create index sessions_member on sessions (workspace_id, member_id) where member_id is not null;
select protect_table('sessions', 'own');

-- Tokens that make a create call safe to repeat. The answer is kept with the body it belongs to.
create table nonces (
  workspace_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  member_id uuid not null,
  purpose text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  body_hash bytea,
  answer jsonb,
  primary key (workspace_id, token_hash),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  check ((body_hash is null) = (answer is null))
);
create index nonces_expiry on nonces (workspace_id, expires_at);
create index nonces_member on nonces (workspace_id, member_id);
select protect_table('nonces', 'own');

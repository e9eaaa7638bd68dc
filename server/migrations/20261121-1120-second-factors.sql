-- Second factors of members and staff: authenticator apps, passkeys, and recovery codes for whoever lost both. Removed ones
-- keep their row. Each belongs to one person, a member or one of the staff.

create table totp_factors (
  workspace_id uuid not null,
  totp_id uuid not null,
  member_id uuid,
  staff_id uuid,
  -- Sealed: whoever reads the table makes no codes.
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null until a first code proved that the app has the secret; only then it counts.
  confirmed_at timestamptz,
  -- The thirty seconds that the last accepted code belonged to: none of it or before it is accepted again.
  last_step bigint,
  removed_at timestamptz,
  primary key (workspace_id, totp_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  check ((member_id is null) <> (staff_id is null)),
  check ((confirmed_at is null) = (last_step is null))
);
create unique index totp_factors_member on totp_factors (workspace_id, member_id) where confirmed_at is not null and removed_at is null;
create unique index totp_factors_staff on totp_factors (workspace_id, staff_id) where confirmed_at is not null and removed_at is null;
create index totp_factors_of_member on totp_factors (workspace_id, member_id) where member_id is not null;
create index totp_factors_of_staff on totp_factors (workspace_id, staff_id) where staff_id is not null;
select protect_table('totp_factors', 'own');

create table passkeys (
  workspace_id uuid not null,
  passkey_id uuid not null,
  member_id uuid,
  staff_id uuid,
  credential_id text not null check (length(credential_id) <= 1400),
  public_key bytea not null,
  -- Authenticators that count never go back: a lower number is a copy's.
  counter bigint not null check (counter >= 0),
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz,
  removed_at timestamptz,
  primary key (workspace_id, passkey_id),
  unique (workspace_id, credential_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  check ((member_id is null) <> (staff_id is null))
);
create index passkeys_member on passkeys (workspace_id, member_id) where member_id is not null;
create index passkeys_staff on passkeys (workspace_id, staff_id) where staff_id is not null;
select protect_table('passkeys', 'own');

-- Only hashes: eighty random bits each, so that a plain hash gives none of them away.
create table recovery_codes (
  workspace_id uuid not null,
  code_id uuid not null,
  member_id uuid,
  staff_id uuid,
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null,
  used_at timestamptz,
  superseded_at timestamptz,
  primary key (workspace_id, code_id),
  unique (workspace_id, code_hash),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  check ((member_id is null) <> (staff_id is null)),
  check (used_at is null or superseded_at is null)
);
create index recovery_codes_member on recovery_codes (workspace_id, member_id) where member_id is not null;
create index recovery_codes_staff on recovery_codes (workspace_id, staff_id) where staff_id is not null;
select protect_table('recovery_codes', 'own');

-- Between a right password and the second factor. Good once, for minutes, for one person, and only for the password that
-- opened it.
create table sign_in_challenges (
  workspace_id uuid not null,
  challenge_id uuid not null,
  member_id uuid,
  staff_id uuid,
  token_hash bytea not null check (length(token_hash) = 32),
  password_mark bytea not null check (length(password_mark) = 32),
  -- What a passkey has to sign.
  passkey_challenge text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at <= created_at + interval '5 minutes'),
  used_at timestamptz,
  primary key (workspace_id, challenge_id),
  unique (workspace_id, token_hash),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  check ((member_id is null) <> (staff_id is null))
);
create index sign_in_challenges_member on sign_in_challenges (workspace_id, member_id) where member_id is not null;
create index sign_in_challenges_staff on sign_in_challenges (workspace_id, staff_id) where staff_id is not null;
select protect_table('sign_in_challenges', 'own');

-- What a browser in a session was asked to sign: to add a passkey, or to prove who sits there. The newest one counts.
create table passkey_challenges (
  workspace_id uuid not null,
  session_id uuid not null,
  purpose text not null check (purpose in ('adding', 'proof')),
  member_id uuid,
  staff_id uuid,
  challenge text not null,
  expires_at timestamptz not null,
  primary key (workspace_id, session_id, purpose),
  foreign key (workspace_id, session_id) references sessions (workspace_id, session_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  check ((member_id is null) <> (staff_id is null))
);
create index passkey_challenges_member on passkey_challenges (workspace_id, member_id) where member_id is not null;
create index passkey_challenges_staff on passkey_challenges (workspace_id, staff_id) where staff_id is not null;
select protect_table('passkey_challenges', 'own');

-- When somebody last proved to be there, and since when a second factor was part of it. A session of before is proven anew.
alter table sessions add column proven_at timestamptz not null default 'epoch';
alter table sessions alter column proven_at drop default;
alter table sessions add column second_factor_at timestamptz;

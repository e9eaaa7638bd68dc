-- What a member chooses about language, time zone and colours; null is as the browser has it. The version counts up with
-- each change of the profile, so that of two tabs the later one notices that it looks at yesterday's.
alter table members
  add column language text check (length(language) between 2 and 35),
  add column time_zone text check (length(time_zone) between 1 and 64),
  add column colour_scheme text check (colour_scheme in ('light', 'dark', 'auto')),
  add column profile_version integer not null default 1 check (profile_version > 0);

-- An address that somebody takes out of the profile keeps its row.
alter table member_addresses add column removed_at timestamptz;
create unique index member_addresses_primary on member_addresses (workspace_id, member_id)
  where is_primary and removed_at is null;

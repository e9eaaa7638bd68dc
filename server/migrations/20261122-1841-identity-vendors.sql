-- Identity checks by vendors: who is asked, what was asked about whom, and what came in at the vendor's address.

create table identity_vendors (
  workspace_id uuid not null references workspaces (workspace_id),
  vendor_id uuid not null,
  app_uid text not null check (length(app_uid) between 1 and 40),
  enabled boolean not null,
  settings jsonb not null,
  -- Secrets, which nobody reads back.
  sealed_secret bytea not null,
  version integer not null default 0,
  created_at timestamptz not null,
  primary key (workspace_id, vendor_id),
  unique (workspace_id, app_uid)
);
-- Members are sent to one at a time.
create unique index identity_vendors_enabled on identity_vendors (workspace_id) where enabled;
select protect_table('identity_vendors', 'desk');

-- One of a member at each vendor: whoever begins again goes on where they were.
create table identity_checks (
  workspace_id uuid not null,
  check_id uuid not null,
  member_id uuid not null,
  vendor_id uuid not null,
  -- The vendor's own name of it, once it was told.
  applicant_id text check (length(applicant_id) between 1 and 100),
  -- started: the member was sent there. waiting: handed in, the vendor looks at it. retry: the vendor wants something again.
  state text not null check (state in ('started', 'waiting', 'retry', 'approved', 'rejected')),
  reason text check (length(reason) between 1 and 500),
  -- The vendor's moment of the last word that counted: an older one that comes late changes nothing.
  reported_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, check_id),
  unique (workspace_id, member_id, vendor_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, vendor_id) references identity_vendors (workspace_id, vendor_id)
);
select protect_table('identity_checks', 'own');

create function guard_identity_check() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' then
    raise exception 'a member does not decide on an identity check' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.vendor_id, new.created_at) is distinct from (old.member_id, old.vendor_id, old.created_at) then
    raise exception 'an identity check stays whose it is' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_identity_check before update on identity_checks
  for each row execute function guard_identity_check();

create function guard_new_identity_check() returns trigger language plpgsql as $$
begin
  if new.state <> 'started' or new.reported_at is not null or new.applicant_id is not null then
    raise exception 'an identity check begins as started' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_new_identity_check before insert on identity_checks
  for each row execute function guard_new_identity_check();

-- As it came, before anybody looked at it. The same bytes with the same proof are one.
create table identity_notifications (
  workspace_id uuid not null,
  notification_id uuid not null,
  vendor_id uuid not null,
  content_id bytea not null check (length(content_id) = 32),
  -- Those that prove it.
  headers jsonb not null,
  body bytea not null,
  received_at timestamptz not null,
  verdict text not null check (verdict in (
    'unread', 'applied', 'late', 'no_check', 'of_no_meaning', 'unsigned', 'forged', 'unreadable')),
  read_at timestamptz,
  primary key (workspace_id, notification_id),
  unique (workspace_id, vendor_id, content_id),
  foreign key (workspace_id, vendor_id) references identity_vendors (workspace_id, vendor_id)
);
select protect_table('identity_notifications', 'desk');

-- An approved identity check counts as a document of this category.
alter table file_categories add column by_identity_check boolean not null default false;

-- Tenancy: what every later table stands on. A workspace is one brokerage; each row belongs to one; each unit of work
-- names its workspace and actor in settings that live exactly as long as its transaction.

create function scope_workspace() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('atrium.workspace_id', true), '')::uuid $$;

create function scope_actor() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('atrium.actor_kind', true), '') $$;

create function scope_member() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('atrium.member_id', true), '')::uuid $$;

-- Turns row security on, for the table's owner too, with one of four reaches:
--   own     a member reaches rows of their own, staff and system those of the workspace
--   shared  everybody of the workspace reads, staff and system write
--   desk    staff and system only
--   log     like own for reading; anybody of the workspace may add, nobody may change or remove
create function protect_table(target regclass, reach text) returns void language plpgsql as $$
declare
  here constant text := 'workspace_id = scope_workspace()';
  trusted constant text := 'scope_actor() in (''staff'', ''system'')';
  own constant text := format('%s and (%s or (scope_actor() = ''member'' and member_id = scope_member()))', here, trusted);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  case reach
    when 'own' then
      execute format('create policy own on %s using (%s) with check (%s)', target, own, own);
    when 'shared' then
      execute format('create policy read_shared on %s for select using (%s and scope_actor() is not null)', target, here);
      execute format('create policy write_shared on %s using (%s and %s) with check (%s and %s)', target, here, trusted, here, trusted);
    when 'desk' then
      execute format('create policy desk on %s using (%s and %s) with check (%s and %s)', target, here, trusted, here, trusted);
    when 'log' then
      execute format('create policy read_log on %s for select using (%s)', target, own);
      execute format('create policy add_log on %s for insert with check (%s)', target, own);
    else raise exception 'unknown reach %', reach;
  end case;
  if reach = 'log' then
    execute format('grant select, insert on %s to atrium_program', target);
  else
    execute format('grant select, insert, update, delete on %s to atrium_program', target);
  end if;
end $$;
revoke execute on function protect_table(regclass, text) from public;

create table workspaces (
  workspace_id uuid primary key,
  subdomain text not null check (subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  is_default boolean not null default false,
  name text not null check (length(name) between 1 and 120),
  accent text not null default '#1f6feb' check (accent ~ '^#[0-9a-fA-F]{6}$'),
  logo_url text,
  support_email text,
  features jsonb not null default '{}',
  settings jsonb not null default '{}',
  vendors text[] not null default '{}',
  departments text[] not null default '{}',
  created_at timestamptz not null default now()
);
-- The directory of brokerages is the one table whose rows are looked up before a workspace is known (by the host of a
-- request), so these two unique keys cannot begin with the workspace. On a distributed database it is a reference table.
create unique index workspaces_subdomain on workspaces (subdomain);
create unique index workspaces_default on workspaces (is_default) where is_default;
select protect_table('workspaces', 'shared');

-- The only way to a workspace without a scope. It answers ids, nothing else.
create function find_workspace(host_label text) returns uuid language sql stable security definer set search_path = pg_catalog, public
  as $$
    select workspace_id from public.workspaces
    where subdomain = host_label or (host_label is null and is_default)
    limit 1
  $$;
create function list_workspace_ids() returns setof uuid language sql stable security definer set search_path = pg_catalog, public
  as $$ select workspace_id from public.workspaces order by workspace_id $$;
revoke execute on function find_workspace(text), list_workspace_ids() from public;
grant execute on function find_workspace(text), list_workspace_ids() to atrium_program;

-- Numbers that people read out on the phone: customer, ticket, transaction. One row a name, counted up inside the
-- transaction that uses the number.
create table counters (
  workspace_id uuid not null references workspaces (workspace_id),
  name text not null,
  value bigint not null check (value >= 0),
  primary key (workspace_id, name)
);
alter table counters enable row level security;
alter table counters force row level security;
-- A member's own transaction takes a number too, so every actor of the workspace counts up.
create policy count_here on counters using (workspace_id = scope_workspace() and scope_actor() is not null)
  with check (workspace_id = scope_workspace() and scope_actor() is not null);
grant select, insert, update on counters to atrium_program;

create table audit_log (
  workspace_id uuid not null references workspaces (workspace_id),
  audit_id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('member', 'staff', 'system')),
  actor_id uuid,
  member_id uuid,
  action text not null,
  subject_kind text not null,
  subject_id uuid not null,
  before jsonb,
  after jsonb,
  request_id text,
  address inet,
  primary key (workspace_id, audit_id)
);
create index audit_log_subject on audit_log (workspace_id, subject_kind, subject_id, audit_id);
select protect_table('audit_log', 'log');

create table rate_limits (
  workspace_id uuid not null references workspaces (workspace_id),
  bucket text not null,
  window_start timestamptz not null,
  tries integer not null check (tries >= 0),
  primary key (workspace_id, bucket)
);
select protect_table('rate_limits', 'desk');

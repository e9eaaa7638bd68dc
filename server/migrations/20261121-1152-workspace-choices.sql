-- What the desk changes of a workspace, section by section. A section counts its changes, so that whoever saves what
-- somebody else has changed since is told instead of believed: {"brand": {"version": 3, "by": "Sela Staff", "at": ...}}.
alter table workspaces add column versions jsonb not null default '{}';

-- A logo is public, small, and wanted by every process before anybody has signed in: it lives with the rows, not the files.
create table workspace_logos (
  workspace_id uuid not null references workspaces (workspace_id),
  logo_id uuid not null,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  content bytea not null check (length(content) between 1 and 200000),
  created_at timestamptz not null,
  primary key (workspace_id, logo_id)
);
select protect_table('workspace_logos', 'shared');

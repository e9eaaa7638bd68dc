-- What a colleague wears beside their answers. Members see it, so it stands in a table that they may read; who works at the
-- desk, with address and role, stays in one that they may not.
create table staff_pictures (
  workspace_id uuid not null,
  picture_id uuid not null,
  staff_id uuid not null,
  name text not null,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  size_bytes integer not null check (size_bytes > 0),
  sha256 bytea not null,
  storage_key text not null,
  created_at timestamptz not null,
  primary key (workspace_id, picture_id),
  unique (workspace_id, staff_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)
);
select protect_table('staff_pictures', 'shared');

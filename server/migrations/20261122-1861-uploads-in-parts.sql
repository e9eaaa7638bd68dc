-- A file that comes in parts, which any process may take: what was received lies in the file store under these keys, in order.
create table uploads (
  workspace_id uuid not null references workspaces (workspace_id),
  upload_id uuid not null,
  member_id uuid not null,
  purpose text not null check (purpose in ('receipt', 'document', 'picture', 'qr', 'ticket', 'video')),
  name text not null check (length(name) between 1 and 255),
  size_bytes bigint not null check (size_bytes > 0),
  received_bytes bigint not null default 0 check (received_bytes between 0 and size_bytes),
  part_keys text[] not null default '{}' check (cardinality(part_keys) <= 2000),
  created_at timestamptz not null,
  touched_at timestamptz not null,
  primary key (workspace_id, upload_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id)
);
create index uploads_member on uploads (workspace_id, member_id);
create index uploads_age on uploads (workspace_id, touched_at);
select protect_table('uploads', 'own');

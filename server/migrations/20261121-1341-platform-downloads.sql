-- Programs that members install, for each platform: a link, or a file that staff uploaded.

create table platform_files (
  workspace_id uuid not null references workspaces,
  file_id uuid not null,
  name text not null check (length(name) between 1 and 255),
  content_type text not null,
  size_bytes bigint not null check (size_bytes > 0),
  sha256 bytea not null check (length(sha256) = 32),
  storage_key text not null,
  created_at timestamptz not null,
  primary key (workspace_id, file_id),
  unique (workspace_id, storage_key)
);
select protect_table('platform_files', 'shared');

create table platform_downloads (
  workspace_id uuid not null,
  download_id uuid not null,
  platform_id uuid not null,
  system text not null check (system in ('windows', 'android', 'ios', 'mac-os', 'web')),
  name text not null check (length(name) between 1 and 120),
  link text check (link ~ '^https?://' and length(link) <= 2000),
  file_id uuid,
  position integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, download_id),
  foreign key (workspace_id, platform_id) references trading_platforms (workspace_id, platform_id),
  foreign key (workspace_id, file_id) references platform_files (workspace_id, file_id),
  constraint link_or_file check ((link is null) <> (file_id is null))
);
create index platform_downloads_of_platform on platform_downloads (workspace_id, platform_id, position);
create index platform_downloads_of_file on platform_downloads (workspace_id, file_id) where file_id is not null;
select protect_table('platform_downloads', 'shared');

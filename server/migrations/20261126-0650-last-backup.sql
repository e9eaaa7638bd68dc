-- When a backup was last finished, for whoever watches that there are any. It is the installation's and no brokerage's, so it
-- stands beside the list of migrations: no backup holds it, and a database that was put back says nothing of backups.
create table if not exists atrium_meta.last_backup (
  is_only boolean primary key default true check (is_only),
  backup text not null,
  finished_at timestamptz not null
);
grant usage on schema atrium_meta to atrium_program;
grant select on atrium_meta.last_backup to atrium_program;

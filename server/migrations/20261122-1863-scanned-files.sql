-- Whether a virus scanner has looked at a file: none was set up, it found nothing, it was away (then nobody may have the
-- file yet), or it found something.
alter table media
  add column scan text not null default 'none' check (scan in ('none', 'clean', 'waiting', 'infected'));
create index media_waiting on media (workspace_id, created_at) where scan = 'waiting';

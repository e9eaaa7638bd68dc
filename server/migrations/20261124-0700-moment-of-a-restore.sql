-- When this database was last put back from a backup: what it knows to be under way since before then may have ended meanwhile.
-- A restore of an older backup has made the column already, to write it in the transaction that puts the rows back.
alter table workspaces add column if not exists restored_at timestamptz;

-- A picture is drawn anew, with a small one beside it.
alter table media
  add column width integer check (width > 0),
  add column height integer check (height > 0),
  add column small_key text check (length(small_key) between 1 and 200),
  add constraint media_drawn check ((width is null) = (height is null) and (small_key is null or width is not null)),
  add unique (workspace_id, small_key);

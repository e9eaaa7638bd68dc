-- The guard of returned transfers came beside the migration that names the temporary schema last: it reads a table too.
alter function guard_returned_transfer() set search_path = pg_catalog, public, pg_temp;

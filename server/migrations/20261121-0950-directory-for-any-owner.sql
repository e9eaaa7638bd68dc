-- find_workspace and list_workspace_ids run with the rights of the database's owner. Row security is forced on the owner
-- too, and only a superuser passes by it: on a database whose owner is none they found no brokerage, and every host was
-- answered 404. The owner reads the directory; the program's role is no member of the owner's.
create policy read_directory on workspaces for select to current_user using (true);

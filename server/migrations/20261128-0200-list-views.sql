-- How somebody of the staff looks at a list of the desk: their saved filters, and the columns that they hide.
create table staff_list_views (
  workspace_id uuid not null,
  staff_id uuid not null,
  list text not null check (length(list) between 1 and 40),
  saved jsonb not null check (octet_length(saved::text) <= 65536),
  hidden jsonb not null check (octet_length(hidden::text) <= 65536),
  primary key (workspace_id, staff_id, list),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)
);
select protect_table('staff_list_views', 'desk');

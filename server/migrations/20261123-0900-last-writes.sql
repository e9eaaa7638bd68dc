-- The last transaction in which a person changed something: a copy of the database that has it may show them their lists. Kept
-- only where there is such a copy.

create table member_writes (
  workspace_id uuid not null,
  member_id uuid not null,
  xid xid8 not null,
  primary key (workspace_id, member_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id)
) with (fillfactor = 50);
select protect_table('member_writes', 'own');

create table staff_writes (
  workspace_id uuid not null,
  staff_id uuid not null,
  xid xid8 not null,
  primary key (workspace_id, staff_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)
) with (fillfactor = 50);
select protect_table('staff_writes', 'desk');

-- What a brokerage lets its members ask for, and what they asked.
create table request_types (
  workspace_id uuid not null references workspaces (workspace_id),
  request_type_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  description text check (length(description) <= 2000),
  -- A type that leads to a page of its own instead of a form.
  predefined_type text check (length(predefined_type) <= 60),
  show_in_portal boolean not null default true,
  is_quick_link boolean not null default false,
  position integer not null default 0,
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (workspace_id, request_type_id)
);
create index request_types_shown on request_types (workspace_id, position, request_type_id) where archived_at is null;
select protect_table('request_types', 'shared');

create table requests (
  workspace_id uuid not null,
  request_id uuid not null,
  number bigint not null,
  member_id uuid not null,
  request_type_id uuid not null,
  subject text not null check (length(subject) between 1 and 200),
  description text check (length(description) <= 5000),
  priority text not null default 'low' check (priority in ('low', 'medium', 'high')),
  status text not null default 'not-assigned'
    check (status in ('not-assigned', 'open', 'in-progress', 'done', 'canceled', 'rejected')),
  comment text check (length(comment) <= 2000),
  entity text check (length(entity) <= 60),
  form_data jsonb,
  assigned_staff_id uuid,
  created_at timestamptz not null,
  primary key (workspace_id, request_id),
  unique (workspace_id, number),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, request_type_id) references request_types (workspace_id, request_type_id),
  foreign key (workspace_id, assigned_staff_id) references staff_users (workspace_id, staff_id)
);
-- The last request of each type, and a member's list, newest first.
create index requests_last on requests (workspace_id, member_id, request_type_id, created_at desc, request_id desc);
select protect_table('requests', 'own');

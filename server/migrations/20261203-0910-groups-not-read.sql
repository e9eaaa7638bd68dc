-- Groups of a platform that the last comparison could not read, while it compared the others.
alter table platform_connections add column unread_groups text[] not null default '{}';

-- What staff set about a platform: whether it is offered, and which version of all this they saw when they changed it.

alter table trading_platforms
  add column enabled boolean not null default true,
  add column version integer not null default 0;
-- Off or on is said in one place, and in one that members may read: a platform that is off is not offered.
update trading_platforms as platform set enabled = connection.enabled
  from platform_connections as connection
  where connection.workspace_id = platform.workspace_id and connection.platform_id = platform.platform_id;
alter table platform_connections drop column enabled;

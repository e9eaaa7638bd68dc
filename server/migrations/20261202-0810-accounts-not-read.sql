-- The accounts of a platform whose operations were not read for a day, because the platform had deleted them or given their number
-- away: whether it has their operations is unknown. The version before writes none.
alter table reconciliation_readings add column unread_accounts uuid[] not null default '{}';

-- A mail for one address, such as the notification to a member's former address, must not go to the current one when
-- staff retry it.
alter table mails add column keeps_recipient boolean not null default false;

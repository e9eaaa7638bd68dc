-- The checks of vendors that were off before the upgrade were paused without their members: these stayed in review, with nobody
-- reviewing. Not paused, they are found by the hourly round, which pauses them again and settles every member.
alter table identity_checks no force row level security;
update identity_checks set paused = false where paused;
alter table identity_checks force row level security;

-- A report of an identity vendor that staff switched off is kept and does not decide. The version before does not read such rows.
alter table identity_notifications
  drop constraint identity_notifications_verdict_check,
  add constraint identity_notifications_verdict_check check (verdict in
    ('unread', 'applied', 'late', 'no_check', 'of_no_meaning', 'vendor_off', 'unsigned', 'forged', 'unreadable'))
    not valid;
alter table identity_notifications validate constraint identity_notifications_verdict_check;

-- Members cannot read vendors: whether the vendor of a check is off stands here too. An undecided check of such a vendor counts for nothing.
alter table identity_checks add column paused boolean not null default false;
alter table identity_vendors no force row level security;
alter table identity_checks no force row level security;
update identity_checks as asked set paused = true from identity_vendors as vendor
where vendor.workspace_id = asked.workspace_id and vendor.vendor_id = asked.vendor_id and not vendor.enabled;
alter table identity_checks force row level security;
alter table identity_vendors force row level security;

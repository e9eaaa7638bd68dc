-- Staff set their own passwords too: by an invitation, or by a link that they asked for because they forgot. The rows stand
-- beside the members' own, one owner each, and only staff and system reach those of staff.

alter table staff_users drop constraint staff_users_status_check;
-- Invited: has a place and a role, and no password yet that anybody knows.
alter table staff_users add constraint staff_users_status_check check (status in ('active', 'locked', 'invited'));
alter table staff_users add column has_password boolean not null default true;

alter table password_reset_requests
  add column kind text not null default 'member' check (kind in ('member', 'staff'));

alter table password_resets
  alter column member_id drop not null,
  add column staff_id uuid,
  add column purpose text not null default 'reset' check (purpose in ('reset', 'invitation')),
  add constraint password_resets_owner check (num_nonnulls(member_id, staff_id) = 1),
  add constraint password_resets_invitation check (purpose = 'reset' or staff_id is not null),
  add foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id);
-- An hour for whoever asked just now; three days for somebody who did not know that a mail would come.
alter table password_resets drop constraint password_resets_check;
alter table password_resets add constraint password_resets_expiry check (
  expires_at <= created_at + case purpose when 'invitation' then interval '3 days' else interval '60 minutes' end
);
create unique index password_resets_open_staff on password_resets (workspace_id, staff_id)
  where used_at is null and superseded_at is null;
create index password_resets_staff on password_resets (workspace_id, staff_id) where staff_id is not null;
create index sessions_staff on sessions (workspace_id, staff_id) where staff_id is not null;

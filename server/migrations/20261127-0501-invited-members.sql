-- A member whom staff have invited, and who has not set a password yet. The version before signs in active members alone.
alter table members drop constraint members_status_check;
alter table members add constraint members_status_check
  check (status in ('active', 'locked', 'erased', 'invited')) not valid;
alter table members validate constraint members_status_check;

-- Invitations were for staff alone.
alter table password_resets drop constraint password_resets_invitation;

-- Why somebody may not sign in any more, and the end of a membership.

alter table members drop constraint members_status_check;
alter table members add constraint members_status_check check (status in ('active', 'locked', 'erased'));

-- One row a time that the desk locked a member, kept when the lock is lifted. For the desk alone: the member is told in a mail.
create table member_locks (
  workspace_id uuid not null,
  lock_id uuid not null,
  member_id uuid not null,
  reason text not null check (length(reason) between 1 and 500),
  locked_by uuid not null,
  locked_at timestamptz not null,
  lifted_by uuid,
  lifted_at timestamptz,
  primary key (workspace_id, lock_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, locked_by) references staff_users (workspace_id, staff_id),
  foreign key (workspace_id, lifted_by) references staff_users (workspace_id, staff_id),
  check ((lifted_by is null) = (lifted_at is null))
);
create unique index member_locks_standing on member_locks (workspace_id, member_id) where lifted_at is null;
create index member_locks_member on member_locks (workspace_id, member_id, locked_at);
select protect_table('member_locks', 'desk');

-- What the logs say in detail of an erased member goes; that it happened, who did it and when stays. The program may not
-- change a log, so this is the one narrow way, and only once the member is erased.
create policy erase_details on audit_log for update to current_user
  using (workspace_id = scope_workspace() and scope_actor() in ('staff', 'system'))
  with check (workspace_id = scope_workspace() and scope_actor() in ('staff', 'system'));
create policy erase_notes on transaction_events for update to current_user
  using (workspace_id = scope_workspace() and scope_actor() in ('staff', 'system'))
  with check (workspace_id = scope_workspace() and scope_actor() in ('staff', 'system'));
create function erase_logged_details(erased uuid) returns bigint language plpgsql security definer set search_path = pg_catalog, public
  as $$
declare
  changed bigint;
begin
  if scope_actor() not in ('staff', 'system') or not exists (
    select from public.members where workspace_id = public.scope_workspace() and member_id = erased and status = 'erased')
  then
    raise exception 'only the details of an erased member may go' using errcode = 'insufficient_privilege';
  end if;
  update public.audit_log set before = null, after = null, address = null
    where workspace_id = public.scope_workspace() and member_id = erased;
  get diagnostics changed = row_count;
  update public.transaction_events set note = null
    where workspace_id = public.scope_workspace() and member_id = erased and note is not null;
  return changed;
end $$;
revoke execute on function erase_logged_details(uuid) from public;
grant execute on function erase_logged_details(uuid) to atrium_program;

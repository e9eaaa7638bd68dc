-- Since when a member is erased: the papers by which they were known are kept for so long after, and then go.
alter table members add column erased_at timestamptz, add column papers_gone_at timestamptz;
alter table members no force row level security;
alter table audit_log no force row level security;
update members as erased set erased_at = coalesce(
  (select max(entry.at) from audit_log as entry
   where entry.workspace_id = erased.workspace_id and entry.member_id = erased.member_id and entry.action = 'member.erased'), now())
where erased.status = 'erased';
alter table audit_log force row level security;
alter table members force row level security;
create index members_erased on members (workspace_id, erased_at) where status = 'erased' and papers_gone_at is null;

-- What somebody agreed to, and from where, is a log that the program only adds to. This is the one way out of it, after the erasure.
create policy forget_agreed on terms_acceptances for delete to current_user
  using (workspace_id = scope_workspace() and scope_actor() = 'system');
create function forget_acceptances(erased uuid) returns void language plpgsql security definer set search_path = pg_catalog, public
  as $$
begin
  if scope_actor() is distinct from 'system' or not exists (
    select from public.members where workspace_id = public.scope_workspace() and member_id = erased and status = 'erased')
  then
    raise exception 'only what an erased member agreed to may go' using errcode = 'insufficient_privilege';
  end if;
  delete from public.terms_acceptances where workspace_id = public.scope_workspace() and member_id = erased;
end $$;
revoke execute on function forget_acceptances(uuid) from public;
grant execute on function forget_acceptances(uuid) to atrium_program;

-- The notes of a member's transactions are found by the transactions: no index of theirs begins with the member, and looking
-- through those of a whole brokerage takes longer than a statement may.
create or replace function erase_logged_details(erased uuid) returns bigint language plpgsql security definer set search_path = pg_catalog, public
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
    where workspace_id = public.scope_workspace() and member_id = erased and note is not null
      and transaction_id = any (array(
        select transaction_id from public.balance_transactions
        where workspace_id = public.scope_workspace() and member_id = erased));
  return changed;
end $$;

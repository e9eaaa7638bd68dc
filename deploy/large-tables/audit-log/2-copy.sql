-- Copies entries in batches, one transaction each; a repeated run copies only missing entries. Rows are locked while they are copied;
-- otherwise details that are erased meanwhile would come back. It works brokerage by brokerage: row security applies to an owner who is
-- no superuser, and without a workspace it would show no rows and no error.
create or replace procedure copy_audit_log(entries_at_once int default 10000) language plpgsql as $$
declare
  brokerage uuid;
  last_entry uuid;
  next_entry uuid;
begin
  for brokerage in select list_workspace_ids() loop
    last_entry := '00000000-0000-0000-0000-000000000000';
    loop
      perform set_config('atrium.workspace_id', brokerage::text, true), set_config('atrium.actor_kind', 'system', true);
      with held as (
        select * from audit_log where workspace_id = brokerage and audit_id > last_entry
          order by audit_id limit entries_at_once for share),
      copied as (insert into audit_log_parted select * from held on conflict do nothing)
      select audit_id into next_entry from held order by audit_id desc limit 1;
      exit when next_entry is null;
      last_entry := next_entry;
      commit;
    end loop;
  end loop;
end $$;
call copy_audit_log();

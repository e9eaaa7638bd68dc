-- Counts both tables in one snapshot, without a lock, then swaps them under a lock of a few milliseconds. The old table stays as
-- audit_log_before. A verification of the log at the same time may cause a deadlock; then nothing was swapped: run it again.
begin;
set local lock_timeout = '5s';
do $$
declare
  brokerage uuid;
  missing bigint;
begin
  for brokerage in select list_workspace_ids() loop
    perform set_config('atrium.workspace_id', brokerage::text, true), set_config('atrium.actor_kind', 'system', true);
    select (select count(*) from audit_log where workspace_id = brokerage)
      - (select count(*) from audit_log_parted where workspace_id = brokerage) into missing;
    if missing <> 0 then
      raise exception 'The partitions miss % entries of workspace %: run 2-copy.sql again. Nothing was swapped.',
        missing, brokerage;
    end if;
  end loop;
end $$;
-- In the lock order of writers: the entry, and its link at the end of the transaction.
lock table audit_log, audit_links in access exclusive mode;
drop trigger mirror_audit_entry on audit_log;
drop function mirror_audit_entry();
drop procedure copy_audit_log;
do $$
declare
  rule record;
begin
  for rule in select * from pg_policies where schemaname = 'public' and tablename = 'audit_log' loop
    execute format('create policy %I on audit_log_parted as %s for %s to %s', rule.policyname, rule.permissive, rule.cmd,
      array_to_string(rule.roles, ', ')) || coalesce(' using (' || rule.qual || ')', '')
      || coalesce(' with check (' || rule.with_check || ')', '');
  end loop;
end $$;
alter table audit_log_parted enable row level security;
alter table audit_log_parted force row level security;
-- As before, the program may neither change nor remove an entry.
grant select, insert on audit_log_parted to atrium_program;
alter table audit_links drop constraint audit_links_workspace_id_audit_id_fkey;
drop trigger link_audit_entry on audit_log;
alter table audit_log rename to audit_log_before;
alter table audit_log_parted rename to audit_log;
revoke all on audit_log_before from atrium_program;

-- New entries are linked as before. `validate` below checks existing links after the lock is released.
create constraint trigger link_audit_entry after insert on audit_log deferrable initially deferred
  for each row execute function link_audit_entry();
alter table audit_links add constraint audit_links_workspace_id_audit_id_fkey
  foreign key (workspace_id, audit_id) references audit_log (workspace_id, audit_id) not valid;

-- Recreates the functions that take a row of the old table, for rows of the new one.
do $$
declare
  made record;
begin
  for made in
    select oid::regprocedure as signature, pg_get_functiondef(oid) as definition from pg_proc
      where 'audit_log_before'::regtype = any (proargtypes)
  loop
    execute replace(made.definition, 'audit_log_before', 'audit_log');
    execute format('drop function %s', made.signature);
  end loop;
end $$;
commit;
alter table audit_links validate constraint audit_links_workspace_id_audit_id_fkey;

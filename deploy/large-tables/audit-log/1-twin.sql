-- Creates a partitioned table beside audit_log: one partition for each month from the first entry to two years from now, and one for
-- later entries. Ids are in time order (UUIDv7), so a month is a range of ids. From here on every change is written to both tables.
-- Run it as the database's owner. Row security applies to the owner too, so entries are read brokerage by brokerage.
begin;
set local lock_timeout = '5s';
create table audit_log_parted (like audit_log including all) partition by range (audit_id);
alter table audit_log_parted add foreign key (workspace_id) references workspaces (workspace_id);

-- Creates the partitions of the given number of months; run it again within two years (docs/operators/large-tables.md).
create procedure add_audit_log_parts(parted regclass, first_month timestamptz, months int) language plpgsql as $$
declare
  bounds uuid[];
  month timestamptz;
begin
  for step in 0..months - 1 loop
    month := first_month + make_interval(months => step);
    select array_agg((lpad(to_hex((extract(epoch from edge) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid order by edge)
      into bounds from unnest(array[month, month + interval '1 month']) as edge;
    execute format('create table if not exists audit_log_part_%s partition of %s for values from (%L) to (%L)',
      to_char(month, 'YYYY_MM'), parted, bounds[1], bounds[2]);
  end loop;
end $$;

do $$
declare
  brokerage uuid;
  entry uuid;
  entry_at timestamptz;
  earliest timestamptz := now();
  months int;
begin
  set local timezone = 'UTC';
  for brokerage in select list_workspace_ids() loop
    perform set_config('atrium.workspace_id', brokerage::text, true), set_config('atrium.actor_kind', 'system', true);
    select audit_id into entry from audit_log where workspace_id = brokerage order by audit_id limit 1;
    continue when entry is null;
    entry_at := to_timestamp(('x0000' || left(replace(entry::text, '-', ''), 12))::bit(64)::bigint / 1000.0);
    earliest := least(earliest, entry_at);
  end loop;
  earliest := date_trunc('month', earliest);
  months := extract(year from age(date_trunc('month', now()), earliest)) * 12
    + extract(month from age(date_trunc('month', now()), earliest)) + 25;
  call add_audit_log_parts('audit_log_parted', earliest, months);
end $$;
create table audit_log_part_later partition of audit_log_parted default;

create function mirror_audit_entry() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if tg_op <> 'INSERT' then
    delete from audit_log_parted where workspace_id = old.workspace_id and audit_id = old.audit_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into audit_log_parted select new.*;
  end if;
  return null;
end $$;
create trigger mirror_audit_entry after insert or update or delete on audit_log
  for each row execute function mirror_audit_entry();
commit;

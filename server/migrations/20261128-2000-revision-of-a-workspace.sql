-- Changes with every change of a workspace or of what it asks its members to accept, so that a process can tell by one value that
-- what it remembers still applies. Random, because a number counts again from an earlier one after a restore or a failover.
alter table workspaces add column revision uuid not null default gen_random_uuid();

create function renew_workspace_revision() returns trigger language plpgsql as $$
begin
  new.revision := gen_random_uuid();
  return new;
end $$;

create trigger renew_revision before update on workspaces
  for each row execute function renew_workspace_revision();

create function renew_revision_of_terms() returns trigger language plpgsql as $$
begin
  update workspaces set revision = gen_random_uuid() where workspace_id = coalesce(new.workspace_id, old.workspace_id);
  return null;
end $$;

create trigger renew_revision after insert or delete or update of state, version, asks_from on terms_templates
  for each row execute function renew_revision_of_terms();

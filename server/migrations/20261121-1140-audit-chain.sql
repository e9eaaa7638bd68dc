-- The audit log as a chain: each entry gets a link that carries the hash of the link before it in its workspace, so that an
-- entry which somebody with the owner's rights changes or removes is found (decision 0018, `npm run admin -- audit verify`).

create table audit_links (
  workspace_id uuid not null references workspaces (workspace_id),
  position bigint not null check (position > 0),
  audit_id uuid not null,
  -- Of what an entry says beyond who, what and when. Kept apart, so that an erased member's details can go and the chain stays.
  details_hash bytea not null check (length(details_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  primary key (workspace_id, position),
  unique (workspace_id, audit_id),
  foreign key (workspace_id, audit_id) references audit_log (workspace_id, audit_id)
);

create function audit_details_hash(entry audit_log) returns bytea language sql stable
  as $$ select sha256(convert_to(jsonb_build_array(entry.before, entry.after, host(entry.address))::text, 'UTF8')) $$;

-- Texts and numbers only: how a moment or an address is written must not depend on who asks.
create function audit_link_hash(previous bytea, entry audit_log, details bytea) returns bytea language sql stable
  as $$
    select sha256(previous || details || convert_to(jsonb_build_array(
      entry.workspace_id, entry.audit_id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor_kind, entry.actor_id,
      entry.member_id, entry.action, entry.subject_kind, entry.subject_id, entry.request_id)::text, 'UTF8'))
  $$;

-- Position and hashes are the database's own work, whatever an insert says: nobody writes a link to their liking.
create function forge_audit_link() returns trigger language plpgsql as $$
declare
  entry audit_log;
  last_link record;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_links ' || new.workspace_id, 0));
  -- A statement after the lock, so that it sees what whoever held the lock has committed.
  select position, hash into last_link from audit_links
    where workspace_id = new.workspace_id order by position desc limit 1;
  select * into strict entry from audit_log where workspace_id = new.workspace_id and audit_id = new.audit_id;
  new.position := coalesce(last_link.position, 0) + 1;
  new.details_hash := audit_details_hash(entry);
  new.hash := audit_link_hash(coalesce(last_link.hash, ''), entry, new.details_hash);
  return new;
end $$;
create trigger forge_audit_link before insert on audit_links for each row execute function forge_audit_link();

create function link_audit_entry() returns trigger language plpgsql as $$
begin
  insert into audit_links (workspace_id, position, audit_id, details_hash, hash)
    values (new.workspace_id, 1, new.audit_id, sha256(''), sha256(''));
  return null;
end $$;
-- At the end of the transaction: the lock of the chain is the last one that is taken, so it is held for as long as a commit
-- takes and no longer, and nobody who holds it waits for anybody.
create constraint trigger link_audit_entry after insert on audit_log deferrable initially deferred
  for each row execute function link_audit_entry();

-- Entries from before the chain, in the order of their ids.
alter table audit_log no force row level security;
insert into audit_links (workspace_id, position, audit_id, details_hash, hash)
  select workspace_id, 1, audit_id, sha256(''), sha256('') from audit_log order by workspace_id, audit_id;
alter table audit_log force row level security;

alter table audit_links enable row level security;
alter table audit_links force row level security;
-- Whoever adds an entry needs the last link of the workspace. A link says that an entry exists, and nothing of what is in it.
create policy read_links on audit_links for select using (workspace_id = scope_workspace() and scope_actor() is not null);
create policy add_link on audit_links for insert with check (workspace_id = scope_workspace() and scope_actor() is not null);
grant select, insert on audit_links to atrium_program;

create index audit_log_at on audit_log (workspace_id, at, audit_id);
create index audit_log_member on audit_log (workspace_id, member_id, at, audit_id) where member_id is not null;
create index audit_log_actor on audit_log (workspace_id, actor_id, at, audit_id) where actor_id is not null;
create index audit_log_action on audit_log (workspace_id, action, at, audit_id);

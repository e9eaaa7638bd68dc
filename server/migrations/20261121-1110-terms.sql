-- Terms: what a brokerage asks its members to accept, every text that was ever published, and who accepted which.

create table terms_templates (
  workspace_id uuid not null references workspaces (workspace_id),
  template_id uuid not null,
  -- Members are asked one after another in this order.
  position integer not null,
  state text not null default 'draft' check (state in ('draft', 'published', 'retired')),
  -- The newest published text, and the oldest one whose acceptance still counts.
  version integer,
  asks_from integer,
  created_at timestamptz not null,
  primary key (workspace_id, template_id),
  check ((version is null) = (asks_from is null)),
  check (asks_from between 1 and version),
  check (state <> 'published' or version is not null)
);
select protect_table('terms_templates', 'shared');

-- Each published text, word for word. What somebody accepted must be readable for ever, so nobody changes a row.
create table terms_versions (
  workspace_id uuid not null,
  template_id uuid not null,
  version integer not null check (version >= 1),
  name text not null check (length(name) between 1 and 120),
  tickbox_text text not null check (length(tickbox_text) between 1 and 500),
  template text not null,
  blocked_portal_sections text[] not null check (cardinality(blocked_portal_sections) > 0),
  asks_again boolean not null,
  published_at timestamptz not null,
  published_by uuid,
  primary key (workspace_id, template_id, version),
  foreign key (workspace_id, template_id) references terms_templates (workspace_id, template_id),
  foreign key (workspace_id, published_by) references staff_users (workspace_id, staff_id)
);
select protect_table('terms_versions', 'shared');
revoke update, delete on terms_versions from atrium_program;
alter table terms_templates add foreign key (workspace_id, template_id, version)
  references terms_versions (workspace_id, template_id, version);

-- The text that staff are working on; members never see it.
create table terms_drafts (
  workspace_id uuid not null,
  template_id uuid not null,
  name text not null,
  tickbox_text text not null,
  template text not null,
  blocked_portal_sections text[] not null,
  -- Counts the saves, so that two people at once do not overwrite each other unseen.
  revision integer not null default 1,
  updated_at timestamptz not null,
  updated_by uuid,
  primary key (workspace_id, template_id),
  foreign key (workspace_id, template_id) references terms_templates (workspace_id, template_id),
  foreign key (workspace_id, updated_by) references staff_users (workspace_id, staff_id)
);
select protect_table('terms_drafts', 'desk');

-- Who accepted which text, when and from where. The session is named without a foreign key: the proof outlives it. The
-- key begins with the member because each call of a member looks here.
create table terms_acceptances (
  workspace_id uuid not null,
  member_id uuid not null,
  template_id uuid not null,
  version integer not null,
  accepted_at timestamptz not null,
  address inet,
  user_agent text,
  session_id uuid not null,
  primary key (workspace_id, member_id, template_id, version),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, template_id, version) references terms_versions (workspace_id, template_id, version)
);
create index terms_acceptances_template on terms_acceptances (workspace_id, template_id, accepted_at desc, member_id);
select protect_table('terms_acceptances', 'log');

-- What a member has still to accept, in the order in which it is asked. Every call of a member wants to know, and mostly
-- the answer is nothing: in a function the plan is kept for the connection, and knowing costs next to nothing.
create function pending_terms(here uuid, who uuid) returns json language plpgsql stable parallel safe
  as $$
  begin
    return (
      select json_agg(json_build_object('id', template.template_id, 'version', asked.version, 'name', asked.name,
        'sections', asked.blocked_portal_sections) order by template.position, template.template_id)
      from terms_templates template
      join terms_versions asked on asked.workspace_id = template.workspace_id
        and asked.template_id = template.template_id and asked.version = template.version
      where template.workspace_id = here and template.state = 'published'
        and not exists (
          select from terms_acceptances accepted
          where accepted.workspace_id = here and accepted.member_id = who
            and accepted.template_id = template.template_id and accepted.version >= template.asks_from)
    );
  end $$;

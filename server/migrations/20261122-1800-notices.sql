-- What a member is told: a line under the bell of the portal, written in the transaction that made it true.

-- One row a member. Notices are numbered under its lock, so they are committed in the order of their numbers: who has read
-- up to one number has missed none below it.
create table notice_boxes (
  workspace_id uuid not null references workspaces (workspace_id),
  member_id uuid not null,
  last_number bigint not null default 0 check (last_number >= 0),
  -- Groups (contract/notices.ts) that the member wants no mail about.
  mail_off text[] not null default '{}'
    check (mail_off <@ array['money', 'documents', 'support', 'requests', 'accounts']),
  primary key (workspace_id, member_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id)
);
select protect_table('notice_boxes', 'own');

create table notices (
  workspace_id uuid not null references workspaces (workspace_id),
  notice_id uuid not null,
  member_id uuid not null,
  notice_number bigint not null check (notice_number > 0),
  kind text not null check (length(kind) between 1 and 60),
  -- The same key is told to a member once, however often it is said.
  dedupe_key text not null check (length(dedupe_key) between 1 and 200),
  -- Sentences with gaps, and what stands in them: what is translated is apart from what somebody wrote.
  title text not null check (length(title) between 1 and 200),
  body text not null check (length(body) <= 1000),
  details jsonb not null default '{}',
  target_kind text not null check (length(target_kind) between 1 and 40),
  target_id uuid,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (workspace_id, notice_id),
  unique (workspace_id, member_id, notice_number),
  unique (workspace_id, member_id, dedupe_key),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id)
);
create index notices_unread on notices (workspace_id, member_id) where read_at is null;
create index notices_age on notices (workspace_id, created_at);
select protect_table('notices', 'own');

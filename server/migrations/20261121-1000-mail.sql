-- Mails to people. A row is written in the transaction that has something to tell, and a job delivers it.

-- What a mail says can hold a link that signs somebody in, so the content is sealed (foundation/secrets.ts) and thrown
-- away once it is delivered: whoever reads the table reads no link. `kept` is a mail of an installation without SMTP.
create table mails (
  workspace_id uuid not null references workspaces (workspace_id),
  mail_id uuid not null,
  member_id uuid,
  recipient text not null check (length(recipient) <= 254),
  subject text not null check (length(subject) <= 200),
  sealed_content bytea,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'kept', 'failed', 'unknown')),
  attempts smallint not null default 0,
  -- Times that the other side had the whole mail and gave no answer: it may have been delivered each time.
  unknown_outcomes smallint not null default 0,
  lease_until timestamptz,
  last_problem text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (workspace_id, mail_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  check ((state in ('queued', 'sending', 'kept')) = (sealed_content is not null)),
  check ((state = 'sending') = (lease_until is not null)),
  check ((state in ('queued', 'sending')) = (settled_at is null))
);
create index mails_newest on mails (workspace_id, created_at desc);
create index mails_member on mails (workspace_id, member_id) where member_id is not null;
select protect_table('mails', 'desk');
-- What a member does can be worth a mail to that member. Adding it is all: reading the post is the desk's.
create policy add_own on mails for insert
  with check (workspace_id = scope_workspace() and scope_actor() = 'member' and member_id = scope_member());

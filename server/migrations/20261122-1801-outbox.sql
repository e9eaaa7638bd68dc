-- Mails that did not get through are kept with what they say, so that staff can have them tried again.

alter table mails
  -- The same key is written down once, whoever says it how often.
  add column dedupe_key text check (length(dedupe_key) between 1 and 300),
  -- Holds a link that sets a password: goes out before the others, and what it says is not kept where it did not get through.
  add column has_link boolean not null default false,
  -- Tries before staff asked for more of them: counted apart, so that a try is never taken for an earlier one.
  add column tries_before smallint not null default 0,
  -- Staff have seen that it did not get through, and leave it so.
  add column left_at timestamptz,
  -- By when somebody should have tried: of one that nobody did, the job was lost. None before this column was there.
  add column next_try_at timestamptz;

create unique index mails_once on mails (workspace_id, dedupe_key) where dedupe_key is not null;
create index mails_open on mails (workspace_id, created_at) where state in ('queued', 'sending');
create index mails_undelivered on mails (workspace_id, settled_at desc, mail_id desc)
  where state in ('failed', 'unknown') and left_at is null;

alter table mails drop constraint mails_check;
alter table mails add constraint mails_content check (
  case when state in ('queued', 'sending', 'kept') then sealed_content is not null
    when state = 'sent' or left_at is not null or has_link then sealed_content is null
    else true end
);
alter table mails add constraint mails_left check (left_at is null or state in ('failed', 'unknown'));

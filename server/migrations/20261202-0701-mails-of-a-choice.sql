-- The group whose mails the recipient may turn off, judged again when the mail is sent; null: sent regardless of preferences.
-- `declined` is a mail that was not sent because of that choice.
alter table mails add column choice text check (length(choice) between 1 and 40);
alter table mails
  drop constraint mails_state_check,
  add constraint mails_state_check check (state in ('queued', 'sending', 'sent', 'kept', 'failed', 'unknown', 'declined'))
    not valid,
  drop constraint mails_content,
  add constraint mails_content check (
    case when state in ('queued', 'sending', 'kept') then sealed_content is not null
      when state in ('sent', 'declined') or left_at is not null or has_link then sealed_content is null
      else true end) not valid;
alter table mails validate constraint mails_state_check;
alter table mails validate constraint mails_content;

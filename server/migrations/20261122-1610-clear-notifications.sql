-- What a provider sends holds mail addresses and names. It is kept as it came for a while and then cleared; what was made of
-- it, its digest and its links stay. What nobody has read yet is never cleared.
alter table payment_notifications add column cleared_at timestamptz;
alter table payment_notifications add constraint cleared_is_empty
  check (cleared_at is null or (verdict <> 'unread' and query = '' and headers = '{}'::jsonb and body = ''::bytea)) not valid;
alter table payment_notifications validate constraint cleared_is_empty;
create index payment_notifications_to_clear on payment_notifications (workspace_id, read_at) where cleared_at is null;

create or replace function guard_payment_notification() returns trigger language plpgsql as $$
begin
  if (new.provider_id, new.content_id, new.method, new.received_at)
     is distinct from
     (old.provider_id, old.content_id, old.method, old.received_at) then
    raise exception 'a notification stays as it came' using errcode = 'check_violation';
  end if;
  if old.cleared_at is not null and new.cleared_at is distinct from old.cleared_at then
    raise exception 'a notification is cleared once' using errcode = 'check_violation';
  end if;
  if (new.cleared_at is null or old.cleared_at is not null)
     and (new.query, new.headers, new.body) is distinct from (old.query, old.headers, old.body) then
    raise exception 'a notification stays as it came until it is cleared' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A webhook event that was refused is read again when its provider repeats it: with the headers that prove the repeat, such as its
-- timestamp, and with the address it came from.
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
  -- A refused one is read again with the headers and the address of its proven repeat.
  if (new.cleared_at is null or old.cleared_at is not null)
     and ((new.query, new.body) is distinct from (old.query, old.body)
       or (new.headers is distinct from old.headers
         and (old.cleared_at is not null or new.verdict <> 'unread' or old.verdict in ('unread', 'genuine', 'unverified')))) then
    raise exception 'a notification stays as it came until it is cleared' using errcode = 'check_violation';
  end if;
  return new;
end $$;

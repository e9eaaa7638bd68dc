-- A member marks a ticket as in progress, as the specification's picker has it, and as open again. Who of the desk works on it
-- stays theirs to say: a member sets no `taken_by`.
alter table tickets drop constraint taken_by_somebody;

CREATE OR REPLACE FUNCTION guard_ticket()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  of_members constant text[] := array['state', 'state_since', 'priority', 'taken_by', 'taken_by_name', 'resolved_at',
    'messages', 'last_of_member', 'read_by_member'];
  move text := old.state || '>' || new.state;
begin
  if (new.number, new.member_id, new.type, new.created_at, new.account_id, new.transaction_id, new.download_id)
     is distinct from
     (old.number, old.member_id, old.type, old.created_at, old.account_id, old.transaction_id, old.download_id) then
    raise exception 'a ticket keeps whose it is and what it is about' using errcode = 'check_violation';
  end if;
  -- Emptied when its member is erased, and never reworded.
  if (new.subject <> old.subject and new.subject <> 'Erased')
      or (new.description <> old.description and new.description <> 'Erased') then
    raise exception 'a ticket keeps its words' using errcode = 'check_violation';
  end if;
  if new.state = 'open' and new.taken_by is not null then
    raise exception 'an open ticket is nobody''s' using errcode = 'check_violation';
  end if;
  if new.messages < old.messages or new.read_by_member < old.read_by_member or new.read_by_member > new.messages
      or (old.first_answered_at is not null and new.first_answered_at is distinct from old.first_answered_at) then
    raise exception 'a conversation does not run backwards' using errcode = 'check_violation';
  end if;
  if old.state = 'closed' and new.state <> 'closed' then
    raise exception 'what was merged goes on elsewhere' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not move = any (array[
      'open>taken', 'open>resolved', 'open>closed', 'taken>open', 'taken>resolved', 'taken>closed',
      'resolved>open', 'resolved>taken', 'resolved>closed']) then
    raise exception 'a ticket cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if scope_actor() = 'member' then
    if to_jsonb(new) - of_members is distinct from to_jsonb(old) - of_members
        or (new.taken_by is not null and new.taken_by is distinct from old.taken_by)
        or (new.state <> old.state and not move = any (array[
            'open>taken', 'open>resolved', 'taken>open', 'taken>resolved', 'resolved>open', 'resolved>taken'])) then
      raise exception 'a member takes no ticket and answers for nobody' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $function$;;

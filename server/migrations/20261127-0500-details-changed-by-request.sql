-- A request of such a type says the new name or email, and approving it at the desk changes the member.
-- Without a check, which the version before would not know.
alter table request_types add column changes text;
alter table requests add column wanted_change jsonb;

-- When name or email last became another one: withdrawals are held for some hours after it, as after a new password.
alter table members add column details_changed_at timestamptz;

create or replace function guard_request() returns trigger language plpgsql as $$
declare
  of_members constant text[] := array['status', 'status_since', 'comment'];
  move text := old.status || '>' || new.status;
begin
  if (new.number, new.member_id, new.request_type_id, new.created_at, new.form_id, new.form_version)
     is distinct from
     (old.number, old.member_id, old.request_type_id, old.created_at, old.form_id, old.form_version) then
    raise exception 'a request keeps whose it is and what it asks for' using errcode = 'check_violation';
  end if;
  -- Emptied when its member is erased, and never reworded: what is approved is what was asked for.
  if (new.subject <> old.subject and new.subject <> 'Erased')
      or (new.description is distinct from old.description and new.description is not null)
      or (new.wanted_change is distinct from old.wanted_change and new.wanted_change is not null) then
    raise exception 'a request keeps its words' using errcode = 'check_violation';
  end if;
  if new.status <> old.status and not move = any (array[
      'not-assigned>open', 'not-assigned>in-progress', 'not-assigned>done', 'not-assigned>canceled', 'not-assigned>rejected',
      'open>not-assigned', 'open>in-progress', 'open>done', 'open>canceled', 'open>rejected',
      'in-progress>not-assigned', 'in-progress>open', 'in-progress>done', 'in-progress>canceled', 'in-progress>rejected'])
  then
    raise exception 'a request cannot move from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  if scope_actor() = 'member' and (
      to_jsonb(new) - of_members is distinct from to_jsonb(old) - of_members
      or old.status in ('done', 'canceled', 'rejected') or new.status <> 'canceled') then
    raise exception 'a member takes a request back and decides on none' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

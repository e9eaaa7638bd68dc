-- A platform shows no history of a deleted account, so an outcome that is unknown then stays so. Two people record what happened,
-- and the program settles the intent by their word. A process of the version before leaves a stuck intent alone.
alter table platform_intents
  add column account_gone_at timestamptz,
  add column decided_outcome text,
  add column decided_ticket text,
  add constraint platform_intents_decided_outcome_check check (decided_outcome in ('executed', 'not_executed')) not valid,
  add constraint executed_has_ticket check ((decided_outcome is not distinct from 'executed') = (decided_ticket is not null)) not valid;
alter table platform_intents validate constraint platform_intents_decided_outcome_check;
alter table platform_intents validate constraint executed_has_ticket;
-- By hand beforehand where there are millions (docs/operators/upgrading.md).
create index if not exists platform_intents_decided on platform_intents (workspace_id, next_step_at)
  where state = 'stuck' and decided_outcome is not null;

create or replace function guard_platform_intent() returns trigger language plpgsql as $$
begin
  if (new.amount, new.currency, new.platform_id, new.platform_login, new.tag, new.transaction_id)
     is distinct from
     (old.amount, old.currency, old.platform_id, old.platform_login, old.tag, old.transaction_id) then
    raise exception 'an intent keeps what it is for' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not (old.state || '>' || new.state = any (array[
    'ready>sending', 'ready>done', 'sending>done', 'sending>rejected', 'sending>unknown', 'sending>ready',
    'unknown>done', 'unknown>ready', 'unknown>stuck', 'ready>stuck', 'stuck>unknown', 'stuck>done', 'stuck>rejected'])) then
    raise exception 'an intent cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  -- The program settles by the word of two people; neither they nor the program do so alone.
  if old.state = 'stuck' and new.state in ('done', 'rejected') and (old.decided_outcome is null or scope_actor() is distinct from 'system') then
    raise exception 'a stuck intent is settled by the program after a decision' using errcode = 'insufficient_privilege';
  end if;
  -- The history is asked again, so what was recorded without it is void. A process of the version before does not know of it.
  if old.state = 'stuck' and new.state = 'unknown' then
    new.account_gone_at := null;
    new.decided_outcome := null;
    new.decided_ticket := null;
  end if;
  return new;
end $$;

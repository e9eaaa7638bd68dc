-- Accounts being opened, written down and committed before a platform is asked (openings/open-account.ts). The password
-- is not here: it goes to the platform with the request that carries it, and that is why nothing is ever sent twice.

create table account_openings (
  workspace_id uuid not null,
  opening_id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('live', 'demo')),
  platform_id uuid not null,
  group_name text not null,
  leverage integer not null check (leverage > 0),
  tag text not null check (length(tag) = 17),
  -- ready: written down. sending: handed to the platform. unknown: no answer that could be trusted, being looked for.
  -- done: the account is there. rejected: the platform or its rules said no. not_executed: proven not to have been sent.
  -- not_opened: looked for and proven absent.
  state text not null check (state in ('ready', 'sending', 'unknown', 'done', 'rejected', 'not_executed', 'not_opened')),
  currency text,
  -- The highest login of the group that we knew before the send: where a quick look begins.
  after_login text,
  lease_until timestamptz not null,
  sent_at timestamptz,
  absent_since timestamptz,
  next_step_at timestamptz not null,
  platform_login text,
  account_id uuid,
  platform_code integer,
  platform_text text,
  last_problem text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, opening_id),
  unique (workspace_id, platform_id, tag),
  unique (workspace_id, account_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, platform_id) references trading_platforms (workspace_id, platform_id),
  foreign key (workspace_id, account_id, member_id) references trading_accounts (workspace_id, account_id, member_id),
  constraint done_has_account check (state <> 'done' or (account_id is not null and platform_login is not null)),
  constraint sent_has_currency check (sent_at is null or currency is not null)
);
-- One of a kind at a time: a double click, and a second try while the first one's outcome is not known, find it here.
create unique index account_openings_under_way on account_openings (workspace_id, member_id, kind)
  where state in ('ready', 'sending', 'unknown');
create index account_openings_due on account_openings (workspace_id, next_step_at) where state in ('ready', 'sending', 'unknown');
select protect_table('account_openings', 'own');

create function guard_account_opening() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' then
    raise exception 'a member moves no opening' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.kind, new.platform_id, new.group_name, new.leverage, new.tag, new.created_at)
     is distinct from
     (old.member_id, old.kind, old.platform_id, old.group_name, old.leverage, old.tag, old.created_at) then
    raise exception 'an opening keeps what it is for' using errcode = 'check_violation';
  end if;
  if old.sent_at is not null and new.sent_at is distinct from old.sent_at then
    raise exception 'an opening is sent once' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not (old.state || '>' || new.state = any (array[
    'ready>sending', 'ready>rejected', 'ready>not_executed',
    'sending>done', 'sending>rejected', 'sending>not_executed', 'sending>unknown',
    'unknown>done', 'unknown>not_opened', 'not_opened>done'])) then
    raise exception 'an opening cannot move from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_account_opening before update on account_openings
  for each row execute function guard_account_opening();

create function guard_new_account_opening() returns trigger language plpgsql as $$
begin
  if new.state <> 'ready' or new.sent_at is not null or new.account_id is not null then
    raise exception 'an opening starts ready' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_new_account_opening before insert on account_openings
  for each row execute function guard_new_account_opening();

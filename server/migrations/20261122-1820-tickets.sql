-- Conversations between a member and the brokerage, each about one thing.

create table tickets (
  workspace_id uuid not null,
  ticket_id uuid not null,
  number bigint not null,
  member_id uuid not null,
  type text not null check (type in ('general', 'profile')),
  priority text not null default 'low' check (priority in ('low', 'medium', 'high')),
  -- open: nobody works on it. taken: somebody does. resolved: done, until the member writes again. closed: its
  -- conversation goes on in another ticket.
  state text not null default 'open' check (state in ('open', 'taken', 'resolved', 'closed')),
  -- What each list is sorted by: whatever came to a list last stands on its top.
  state_since timestamptz not null,
  subject text not null check (length(subject) between 1 and 120),
  description text not null check (length(description) between 1 and 2000),
  -- What it is about, if it is about something: one of the three.
  account_id uuid,
  transaction_id uuid,
  download_id uuid,
  taken_by uuid,
  -- As the member saw it: whoever leaves the desk stays in the conversation.
  taken_by_name text,
  merged_into uuid,
  created_at timestamptz not null,
  first_answered_at timestamptz,
  resolved_at timestamptz,
  -- Messages are counted as they come, under the ticket's lock: an order that no clock can turn around.
  messages integer not null default 0 check (messages >= 0),
  last_of_staff integer not null default 0,
  last_of_member integer not null default 0,
  read_by_member integer not null default 0,
  primary key (workspace_id, ticket_id),
  unique (workspace_id, number),
  unique (workspace_id, ticket_id, member_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, account_id, member_id) references trading_accounts (workspace_id, account_id, member_id),
  foreign key (workspace_id, transaction_id, member_id)
    references balance_transactions (workspace_id, transaction_id, member_id),
  foreign key (workspace_id, download_id) references platform_downloads (workspace_id, download_id),
  foreign key (workspace_id, taken_by) references staff_users (workspace_id, staff_id),
  -- Three columns of the key: a conversation never goes on in somebody else's ticket.
  foreign key (workspace_id, merged_into, member_id) references tickets (workspace_id, ticket_id, member_id),
  constraint about_one_thing check (num_nonnulls(account_id, transaction_id, download_id) <= 1),
  constraint taken_by_somebody check (
    case state when 'open' then taken_by is null when 'taken' then taken_by is not null else true end),
  constraint closed_goes_on check ((state = 'closed') = (merged_into is not null) and merged_into <> ticket_id),
  constraint resolved_at_some_time check (state <> 'resolved' or resolved_at is not null)
);
create index tickets_of_member on tickets (workspace_id, member_id, state, state_since desc, ticket_id desc);
-- With whose they are, so that a state is counted without looking at its tickets.
create index tickets_board on tickets (workspace_id, state, state_since, ticket_id) include (member_id);
create index tickets_waiting on tickets (workspace_id, member_id)
  where state = 'open' or (state = 'taken' and last_of_member >= last_of_staff);
create index tickets_taken on tickets (workspace_id, taken_by, state_since, ticket_id) where state = 'taken';
create index tickets_created on tickets (workspace_id, created_at);
create index tickets_merged on tickets (workspace_id, merged_into) where merged_into is not null;
select protect_table('tickets', 'own');
-- As with trades: who asks is found out once a statement instead of once a row.
alter policy own on tickets using (
  workspace_id = (select scope_workspace())
  and case (select scope_actor())
    when 'member' then member_id = (select scope_member())
    when 'staff' then true
    when 'system' then true
    else false
  end);

create table ticket_messages (
  workspace_id uuid not null,
  message_id uuid not null,
  ticket_id uuid not null,
  member_id uuid not null,
  position integer not null check (position > 0),
  type text not null check (type in ('message', 'attachment')),
  content text check (length(content) between 1 and 5000),
  media_id uuid,
  -- Null: the member wrote it.
  staff_id uuid,
  staff_name text,
  created_at timestamptz not null,
  primary key (workspace_id, message_id),
  unique (workspace_id, ticket_id, position),
  -- One file stands in one conversation.
  unique (workspace_id, media_id),
  foreign key (workspace_id, ticket_id, member_id) references tickets (workspace_id, ticket_id, member_id),
  foreign key (workspace_id, media_id, member_id) references media (workspace_id, media_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  constraint says_something check (case type when 'message' then content is not null else media_id is not null end),
  constraint staff_has_name check ((staff_id is null) = (staff_name is null))
);
select protect_table('ticket_messages', 'own');

-- What colleagues tell each other about a ticket. A table of its own, which no member's transaction reaches at all: a
-- condition that somebody forgets in a query of messages cannot let one out.
create table ticket_notes (
  workspace_id uuid not null,
  note_id uuid not null,
  ticket_id uuid not null,
  member_id uuid not null,
  content text not null check (length(content) between 1 and 5000),
  staff_id uuid not null,
  staff_name text not null,
  created_at timestamptz not null,
  primary key (workspace_id, note_id),
  foreign key (workspace_id, ticket_id, member_id) references tickets (workspace_id, ticket_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)
);
create index ticket_notes_of_ticket on ticket_notes (workspace_id, ticket_id, created_at);
select protect_table('ticket_notes', 'desk');

-- How far each colleague has read a conversation.
create table ticket_reads (
  workspace_id uuid not null,
  ticket_id uuid not null,
  staff_id uuid not null,
  position integer not null check (position >= 0),
  primary key (workspace_id, ticket_id, staff_id),
  foreign key (workspace_id, ticket_id) references tickets (workspace_id, ticket_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)
);
select protect_table('ticket_reads', 'desk');

create table canned_replies (
  workspace_id uuid not null references workspaces (workspace_id),
  reply_id uuid not null,
  name text not null check (length(name) between 1 and 80),
  content text not null check (length(content) between 1 and 5000),
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (workspace_id, reply_id)
);
create unique index canned_replies_name on canned_replies (workspace_id, lower(name)) where archived_at is null;
select protect_table('canned_replies', 'desk');

create function guard_new_ticket() returns trigger language plpgsql as $$
begin
  if new.state <> 'open' or new.priority <> 'low' or new.messages <> 0 or new.first_answered_at is not null
      or new.resolved_at is not null or new.last_of_staff + new.last_of_member + new.read_by_member <> 0 then
    raise exception 'a ticket starts open, low and without messages' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_new_ticket before insert on tickets for each row execute function guard_new_ticket();

create function guard_ticket() returns trigger language plpgsql as $$
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
        or (new.state <> old.state and not move = any (array['open>resolved', 'taken>resolved', 'resolved>open'])) then
      raise exception 'a member takes no ticket and answers for nobody' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $$;
create trigger guard_ticket before update on tickets for each row execute function guard_ticket();

create function guard_ticket_removal() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' then
    raise exception 'a member removes nothing of a conversation' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger guard_ticket_removal before delete on tickets for each row execute function guard_ticket_removal();
create trigger guard_ticket_removal before delete on ticket_messages
  for each row execute function guard_ticket_removal();

create function guard_ticket_message() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'what was said stays as it was said' using errcode = 'check_violation';
  end if;
  if scope_actor() = 'member' and new.staff_id is not null then
    raise exception 'a member does not speak for the desk' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger guard_ticket_message before insert or update on ticket_messages
  for each row execute function guard_ticket_message();

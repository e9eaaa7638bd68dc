-- Forms that a brokerage builds, what members filled in, and the requests that come of it.

create table forms (
  workspace_id uuid not null references workspaces (workspace_id),
  form_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  -- Null: offered nowhere by itself.
  show_on text check (show_on = 'members-portal'),
  is_request boolean not null,
  category text check (length(category) between 1 and 80),
  vendors text[] not null default '{}',
  departments text[] not null default '{}',
  current_version integer not null check (current_version > 0),
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (workspace_id, form_id)
);
select protect_table('forms', 'shared');

-- How a form was, each time it was published. What was answered is read by the version that it was answered by.
create table form_versions (
  workspace_id uuid not null,
  form_id uuid not null,
  version integer not null check (version > 0),
  definition jsonb not null,
  made_at timestamptz not null,
  made_by uuid,
  made_by_name text,
  primary key (workspace_id, form_id, version),
  foreign key (workspace_id, form_id) references forms (workspace_id, form_id),
  foreign key (workspace_id, made_by) references staff_users (workspace_id, staff_id)
);
select protect_table('form_versions', 'shared');
-- Of two that are published at once one is first; the form then names the newest.
alter table forms add foreign key (workspace_id, form_id, current_version)
  references form_versions (workspace_id, form_id, version) deferrable initially deferred;

create function guard_form_version() returns trigger language plpgsql as $$
begin
  raise exception 'a form stays as it was published' using errcode = 'check_violation';
end $$;
create trigger guard_form_version before update or delete on form_versions
  for each row execute function guard_form_version();

create function guard_form() returns trigger language plpgsql as $$
begin
  if new.current_version < old.current_version or new.created_at <> old.created_at then
    raise exception 'a form does not run backwards' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_form before update on forms for each row execute function guard_form();

alter table request_types
  add column form_id uuid,
  add foreign key (workspace_id, form_id) references forms (workspace_id, form_id),
  -- Whoever is led to a page of the portal fills in nothing before.
  add constraint page_or_form check (form_id is null or predefined_type is null);
create index request_types_form on request_types (workspace_id, form_id) where form_id is not null;

-- What a member has begun and not sent: one of each form, wherever they are signed in.
create table form_drafts (
  workspace_id uuid not null,
  member_id uuid not null,
  form_id uuid not null,
  draft_id uuid not null,
  version integer not null,
  answers jsonb not null,
  -- Uploaded for it: they are not swept away while the draft is there.
  media_ids uuid[] not null default '{}',
  step integer not null check (step between 0 and 20),
  revision integer not null check (revision > 0),
  saved_at timestamptz not null,
  primary key (workspace_id, member_id, form_id),
  unique (workspace_id, draft_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, form_id, version) references form_versions (workspace_id, form_id, version)
);
create index form_drafts_old on form_drafts (workspace_id, saved_at);
select protect_table('form_drafts', 'own');

alter table requests
  drop column form_data,
  add column status_since timestamptz,
  add column form_id uuid,
  add column form_version integer,
  -- As the member saw it: whoever leaves the desk stays with the request.
  add column assigned_staff_name text,
  add unique (workspace_id, request_id, member_id),
  add foreign key (workspace_id, form_id, form_version) references form_versions (workspace_id, form_id, version),
  add constraint form_has_version check ((form_id is null) = (form_version is null));
alter table requests no force row level security;
update requests set status_since = created_at;
alter table requests force row level security;
alter table requests
  alter column status_since set not null,
  add constraint not_assigned_to_nobody check (status <> 'not-assigned' or assigned_staff_id is null);
create index requests_of_member on requests (workspace_id, member_id, created_at desc, request_id desc);
-- With whose they are, so that a state is counted without looking at its requests.
create index requests_board on requests (workspace_id, status, status_since, request_id) include (member_id);
create index requests_since on requests (workspace_id, status_since, request_id);
create index requests_assigned on requests (workspace_id, assigned_staff_id, status_since, request_id)
  where assigned_staff_id is not null;
create index requests_of_type on requests (workspace_id, request_type_id, status, status_since, request_id)
  include (member_id);
-- As with tickets: who asks is found out once a statement instead of once a row.
alter policy own on requests using (
  workspace_id = (select scope_workspace())
  and case (select scope_actor())
    when 'member' then member_id = (select scope_member())
    when 'staff' then true
    when 'system' then true
    else false
  end);

-- What was filled in and sent, by the form as it was.
create table form_answers (
  workspace_id uuid not null,
  answers_id uuid not null,
  form_id uuid not null,
  version integer not null,
  member_id uuid not null,
  -- By input name: what was shown and no more, with what formulas came to.
  answers jsonb not null,
  -- The same under the names that the form gives them when they are sent.
  sent jsonb not null,
  -- Of a questionnaire: what the answers add up to, and the band that it lies in.
  score bigint,
  band jsonb,
  -- The draft that it was, which cannot become a second one.
  draft_id uuid,
  request_id uuid,
  submitted_at timestamptz not null,
  primary key (workspace_id, answers_id),
  unique (workspace_id, answers_id, member_id),
  unique (workspace_id, draft_id),
  unique (workspace_id, request_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, form_id, version) references form_versions (workspace_id, form_id, version),
  foreign key (workspace_id, request_id, member_id) references requests (workspace_id, request_id, member_id)
);
create index form_answers_of_form on form_answers (workspace_id, form_id, submitted_at, answers_id) include (member_id);
create index form_answers_of_member on form_answers (workspace_id, member_id, form_id, submitted_at);
select protect_table('form_answers', 'own');
alter policy own on form_answers using (
  workspace_id = (select scope_workspace())
  and case (select scope_actor())
    when 'member' then member_id = (select scope_member())
    when 'staff' then true
    when 'system' then true
    else false
  end);

create table form_answer_files (
  workspace_id uuid not null,
  media_id uuid not null,
  answers_id uuid not null,
  member_id uuid not null,
  input_name text not null,
  -- One file stands in one answer.
  primary key (workspace_id, media_id),
  foreign key (workspace_id, answers_id, member_id) references form_answers (workspace_id, answers_id, member_id),
  foreign key (workspace_id, media_id, member_id) references media (workspace_id, media_id, member_id)
);
create index form_answer_files_of on form_answer_files (workspace_id, answers_id);
select protect_table('form_answer_files', 'own');

create function guard_form_answers() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and scope_actor() <> 'member' then
    return old;
  end if;
  raise exception 'what was sent stays as it was sent' using errcode = 'check_violation';
end $$;
create trigger guard_form_answers before update or delete on form_answers
  for each row execute function guard_form_answers();
create trigger guard_form_answers before update or delete on form_answer_files
  for each row execute function guard_form_answers();

create table request_events (
  workspace_id uuid not null,
  event_id uuid not null,
  request_id uuid not null,
  member_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('sent', 'assigned', 'moved', 'commented')),
  from_status text,
  to_status text,
  -- Null: the member.
  staff_id uuid,
  staff_name text,
  assigned_name text,
  comment text check (length(comment) between 1 and 2000),
  primary key (workspace_id, event_id),
  foreign key (workspace_id, request_id, member_id) references requests (workspace_id, request_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id),
  constraint staff_has_name check ((staff_id is null) = (staff_name is null))
);
create index request_events_of on request_events (workspace_id, request_id, at, event_id);
select protect_table('request_events', 'own');

create function guard_request_event() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' and (tg_op <> 'INSERT' or new.staff_id is not null or new.kind not in ('sent', 'moved')) then
    raise exception 'a member does not speak for the desk' using errcode = 'insufficient_privilege';
  end if;
  -- Its comment goes when its member is erased; that it happened stays.
  if tg_op = 'DELETE' or (tg_op = 'UPDATE'
      and (to_jsonb(new) - 'comment' is distinct from to_jsonb(old) - 'comment' or new.comment is not null)) then
    raise exception 'what happened stays as it was' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_request_event before insert or update or delete on request_events
  for each row execute function guard_request_event();

create function guard_request() returns trigger language plpgsql as $$
declare
  of_members constant text[] := array['status', 'status_since', 'comment'];
  move text := old.status || '>' || new.status;
begin
  if (new.number, new.member_id, new.request_type_id, new.created_at, new.form_id, new.form_version)
     is distinct from
     (old.number, old.member_id, old.request_type_id, old.created_at, old.form_id, old.form_version) then
    raise exception 'a request keeps whose it is and what it asks for' using errcode = 'check_violation';
  end if;
  -- Emptied when its member is erased, and never reworded.
  if (new.subject <> old.subject and new.subject <> 'Erased')
      or (new.description is distinct from old.description and new.description is not null) then
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
create trigger guard_request before update on requests for each row execute function guard_request();

create function guard_new_request() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' and (new.status <> 'not-assigned' or new.priority <> 'low'
      or new.comment is not null or new.assigned_staff_id is not null) then
    raise exception 'a request starts low and with nobody' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger guard_new_request before insert on requests for each row execute function guard_new_request();

create function guard_request_removal() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' then
    raise exception 'a member removes no request' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger guard_request_removal before delete on requests for each row execute function guard_request_removal();

-- Files of answers. A form may ask for less than what files may be: its limit is held against what was sent, since a picture
-- that was drawn anew may be larger.
alter table media add column sent_bytes bigint check (sent_bytes > 0);
alter table media drop constraint media_purpose_check;
alter table media add constraint media_purpose_check
  check (purpose in ('receipt', 'document', 'picture', 'qr', 'ticket', 'video', 'form'));
alter table uploads drop constraint uploads_purpose_check;
alter table uploads add constraint uploads_purpose_check
  check (purpose in ('receipt', 'document', 'picture', 'qr', 'ticket', 'video', 'form'));

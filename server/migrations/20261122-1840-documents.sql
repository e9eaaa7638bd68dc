-- Identity papers. What a brokerage asks for stands in categories, in sets of their own for kinds of members; what members
-- handed in are documents; from both follows how the papers of a member stand (server/documents/standing.ts).

create table kyc_categories (
  workspace_id uuid not null references workspaces (workspace_id),
  kyc_category_id uuid not null,
  name text not null check (length(name) between 1 and 80),
  position integer not null check (position >= 0),
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (workspace_id, kyc_category_id)
);
select protect_table('kyc_categories', 'shared');

-- Null as the kyc category is the general set: for every member who is in none.
create table file_categories (
  workspace_id uuid not null references workspaces (workspace_id),
  file_category_id uuid not null,
  kyc_category_id uuid,
  name text not null check (length(name) between 1 and 80),
  description text not null default '' check (length(description) <= 500),
  required boolean not null,
  position integer not null check (position >= 0),
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (workspace_id, file_category_id),
  foreign key (workspace_id, kyc_category_id) references kyc_categories (workspace_id, kyc_category_id)
);
create index file_categories_set on file_categories (workspace_id, kyc_category_id, position);
select protect_table('file_categories', 'shared');

create table valid_documents (
  workspace_id uuid not null references workspaces (workspace_id),
  valid_document_id uuid not null,
  file_category_id uuid not null,
  name text not null check (length(name) between 1 and 80),
  -- Asked for with the last day on which it holds good.
  expires boolean not null,
  position integer not null check (position >= 0),
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (workspace_id, valid_document_id),
  unique (workspace_id, valid_document_id, file_category_id),
  foreign key (workspace_id, file_category_id) references file_categories (workspace_id, file_category_id)
);
create index valid_documents_category on valid_documents (workspace_id, file_category_id, position);
select protect_table('valid_documents', 'shared');

alter table members
  add foreign key (workspace_id, kyc_category_id) references kyc_categories (workspace_id, kyc_category_id),
  -- Staff saw the papers elsewhere, before there were any here: whoever was approved stays so.
  add column papers_elsewhere boolean not null default false;
alter table members no force row level security;
update members set papers_elsewhere = true where documents_status = 'approved';
alter table members force row level security;

-- A paper that staff ask one member for, beside what the categories ask of everybody. Closed when one was verified, or when
-- nobody wants it any more.
create table document_requests (
  workspace_id uuid not null,
  document_request_id uuid not null,
  member_id uuid not null,
  file_category_id uuid not null,
  valid_document_id uuid,
  note text not null check (length(note) <= 500),
  state text not null check (state in ('open', 'done', 'withdrawn')),
  requested_by uuid,
  requested_at timestamptz not null,
  primary key (workspace_id, document_request_id),
  unique (workspace_id, document_request_id, member_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, file_category_id) references file_categories (workspace_id, file_category_id),
  foreign key (workspace_id, valid_document_id, file_category_id)
    references valid_documents (workspace_id, valid_document_id, file_category_id),
  foreign key (workspace_id, requested_by) references staff_users (workspace_id, staff_id)
);
create index document_requests_member on document_requests (workspace_id, member_id, requested_at);
select protect_table('document_requests', 'own');

create table documents (
  workspace_id uuid not null,
  document_id uuid not null,
  member_id uuid not null,
  file_category_id uuid not null,
  valid_document_id uuid,
  media_id uuid not null,
  document_request_id uuid,
  title text not null check (length(title) between 1 and 255),
  description text check (length(description) between 1 and 500),
  -- in_verification: handed in, waits for the brokerage. pending: its verdict was taken back, waits for the member.
  status text not null check (status in ('pending', 'rejected', 'in_verification', 'approved')),
  unverify_reason text check (length(unverify_reason) between 1 and 500),
  reject_reason text check (length(reject_reason) between 1 and 500),
  expires_on text check (expires_on ~ '^\d{4}-\d{2}-\d{2}$'),
  -- Until when its member was told, so that nobody is told of the same end twice.
  expiry_told_for text check (expiry_told_for ~ '^\d{4}-\d{2}-\d{2}$'),
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, document_id),
  unique (workspace_id, document_id, member_id),
  -- One file is one document.
  unique (workspace_id, media_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, file_category_id) references file_categories (workspace_id, file_category_id),
  foreign key (workspace_id, valid_document_id, file_category_id)
    references valid_documents (workspace_id, valid_document_id, file_category_id),
  foreign key (workspace_id, media_id, member_id) references media (workspace_id, media_id, member_id),
  foreign key (workspace_id, document_request_id, member_id)
    references document_requests (workspace_id, document_request_id, member_id),
  foreign key (workspace_id, decided_by) references staff_users (workspace_id, staff_id),
  constraint rejected_has_reason check (status <> 'rejected' or reject_reason is not null),
  constraint pending_has_reason check (status <> 'pending' or unverify_reason is not null),
  constraint verdict_has_moment check (status = 'in_verification' or decided_at is not null)
);
create index documents_member on documents (workspace_id, member_id, created_at desc, document_id desc);
create index documents_queue on documents (workspace_id, status, created_at, document_id);
create index documents_expiry on documents (workspace_id, expires_on) where status = 'approved' and expires_on is not null;
select protect_table('documents', 'own');

create function guard_document() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' then
    raise exception 'a member decides on no document' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.media_id, new.file_category_id, new.created_at)
     is distinct from (old.member_id, old.media_id, old.file_category_id, old.created_at) then
    raise exception 'a document stays the paper that was handed in' using errcode = 'check_violation';
  end if;
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'in_verification>approved', 'in_verification>rejected', 'approved>pending',
    'pending>approved', 'pending>rejected', 'rejected>approved'])) then
    raise exception 'a document cannot move from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_document before update on documents for each row execute function guard_document();

create function guard_new_document() returns trigger language plpgsql as $$
begin
  if new.status <> 'in_verification' or new.decided_by is not null then
    raise exception 'a document starts in verification' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_new_document before insert on documents for each row execute function guard_new_document();

-- Only staff and the program find papers good, or choose which are asked for; handing one in may lower a standing or begin one.
create function guard_member_papers() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' and (
    (new.kyc_category_id, new.papers_elsewhere) is distinct from (old.kyc_category_id, old.papers_elsewhere)
    or (new.documents_status <> old.documents_status and new.documents_status = 'approved')) then
    raise exception 'a member does not approve own papers' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger guard_member_papers before update of kyc_category_id, papers_elsewhere, documents_status on members
  for each row execute function guard_member_papers();

-- What happened to somebody's papers, in order: the KYC page of the desk.
create table document_events (
  workspace_id uuid not null,
  event_id uuid not null,
  member_id uuid not null,
  document_id uuid,
  document_request_id uuid,
  at timestamptz not null,
  event text not null,
  actor_kind text not null check (actor_kind in ('member', 'staff', 'system')),
  staff_id uuid check (staff_id is null or actor_kind = 'staff'),
  note text,
  primary key (workspace_id, event_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  foreign key (workspace_id, document_id, member_id) references documents (workspace_id, document_id, member_id),
  foreign key (workspace_id, document_request_id, member_id)
    references document_requests (workspace_id, document_request_id, member_id),
  foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)
);
create index document_events_member on document_events (workspace_id, member_id, event_id);
select protect_table('document_events', 'own');

create function guard_document_event() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' then
    raise exception 'what happened stays as it was' using errcode = 'insufficient_privilege';
  end if;
  if (new.member_id, new.document_id, new.document_request_id, new.at, new.event, new.actor_kind, new.staff_id)
     is distinct from
     (old.member_id, old.document_id, old.document_request_id, old.at, old.event, old.actor_kind, old.staff_id) then
    raise exception 'what happened stays as it was' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_document_event before update on document_events for each row execute function guard_document_event();

-- Every brokerage that is there starts with the papers that most ask for; its desk changes them.
alter table workspaces no force row level security;
alter table file_categories no force row level security;
alter table valid_documents no force row level security;
insert into file_categories (workspace_id, file_category_id, name, description, required, position, created_at)
  select workspace_id, gen_random_uuid(), usual.name, usual.description, usual.required, usual.position, now()
  from workspaces, (values
    ('Proof of identity', 'A passport, an identity card or a driving licence. Both sides of a card, and all four corners in the picture.', true, 0),
    ('Proof of address', 'Not older than three months, with your name and your address on it.', true, 1),
    ('Other documents', 'What we asked you for besides.', false, 2)
  ) as usual (name, description, required, position);
insert into valid_documents (workspace_id, valid_document_id, file_category_id, name, expires, position, created_at)
  select workspace_id, gen_random_uuid(), file_category_id, paper.name, paper.expires, paper.position, now()
  from file_categories join (values
    ('Proof of identity', 'Passport', true, 0),
    ('Proof of identity', 'Identity card', true, 1),
    ('Proof of identity', 'Driving licence', true, 2),
    ('Proof of address', 'Utility bill', false, 0),
    ('Proof of address', 'Bank statement', false, 1),
    ('Proof of address', 'Tax letter', false, 2)
  ) as paper (category, name, expires, position) on paper.category = file_categories.name;
alter table valid_documents force row level security;
alter table file_categories force row level security;
alter table workspaces force row level security;

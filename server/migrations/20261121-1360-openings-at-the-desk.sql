-- The desk lists openings over all members, and may have one looked for again whose account nobody knows of.
alter table account_openings
  add column looked_at timestamptz,
  add column asked_again_at timestamptz;
create index account_openings_newest on account_openings (workspace_id, created_at, opening_id);
create index account_openings_by_state on account_openings (workspace_id, state, created_at, opening_id);
create index account_openings_of_member on account_openings (workspace_id, member_id, created_at, opening_id);

-- Finding a member among a hundred thousand. Row security lets an index serve only comparisons that cannot leak, and
-- neither LIKE nor trigrams are among those; beginnings of words, compared as text, are.

create function plain_name(name text) returns text language sql immutable parallel safe
  as $$ select lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')) $$;

alter table members add column sort_name text collate "C" not null
  generated always as (left(plain_name(last_name || ' ' || first_name), 200)) stored;

create index members_joined on members (workspace_id, created_at, member_id);
create index members_joined_by_status on members (workspace_id, status, created_at, member_id);
create index members_joined_by_documents on members (workspace_id, documents_status, created_at, member_id);
create index members_by_name on members (workspace_id, sort_name, member_id);

-- Every word that a member is found by: names and their parts, email, customer number, logins of accounts.
create table member_words (
  workspace_id uuid not null,
  member_id uuid not null,
  word text collate "C" not null,
  primary key (workspace_id, member_id, word),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id)
);
create index member_words_word on member_words (workspace_id, word, member_id);

create function words_of_member(found members) returns setof text language sql stable
  as $$
    select distinct left(word, 254) from (
      select regexp_split_to_table(found.sort_name, '\s+')
      union all select regexp_split_to_table(found.sort_name, '[\s\-''’.]+')
      union all select lower(unnest(found.emails || found.email))
      union all select lower(found.customer_number)
      union all select platform_login from trading_accounts
        where workspace_id = found.workspace_id and member_id = found.member_id and not deleted
    ) as words (word) where word <> ''
  $$;

create function write_member_words() returns trigger language plpgsql as $$
declare
  found members;
begin
  select * into found from members where workspace_id = new.workspace_id and member_id = new.member_id;
  if found.member_id is null then return null; end if;
  delete from member_words where workspace_id = new.workspace_id and member_id = new.member_id;
  insert into member_words (workspace_id, member_id, word)
    select found.workspace_id, found.member_id, word from words_of_member(found) as word;
  return null;
end $$;
create trigger member_words after insert or update of first_name, last_name, email, emails, customer_number on members
  for each row execute function write_member_words();
create trigger account_words after insert or update of platform_login, deleted on trading_accounts
  for each row execute function write_member_words();

alter table members no force row level security;
alter table trading_accounts no force row level security;
insert into member_words (workspace_id, member_id, word)
  select found.workspace_id, found.member_id, word from members as found, words_of_member(found) as word;
alter table trading_accounts force row level security;
alter table members force row level security;

select protect_table('member_words', 'own');

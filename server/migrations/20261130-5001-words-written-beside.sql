-- Two accounts of one member stored at the same time, as by two openings, write the same words: the later one keeps those of the
-- earlier one instead of failing.
create or replace function write_member_words() returns trigger language plpgsql as $$
declare
  found members;
begin
  select * into found from members where workspace_id = new.workspace_id and member_id = new.member_id;
  if found.member_id is null then return null; end if;
  delete from member_words where workspace_id = new.workspace_id and member_id = new.member_id;
  insert into member_words (workspace_id, member_id, word)
    select found.workspace_id, found.member_id, word from words_of_member(found) as word
    order by word -- In one order, so that neither waits for the other.
    on conflict do nothing;
  return null;
end $$;

-- The function that empties the log of an erased member asks for that status: a statement that sets it, calls the function and takes
-- the status back would have emptied the log of anybody without a trace.
create function guard_erased_member() returns trigger language plpgsql as $$
begin
  raise exception 'an erased member stays erased' using errcode = 'check_violation';
end $$;
create trigger guard_erased_member before update of status on members for each row
  when (old.status = 'erased' and new.status <> 'erased') execute function guard_erased_member();

-- The same rows as before, for everybody. Who asks is found out once a statement instead of once a row, which is what counting
-- and summing 100,000 trades cost most; and a `case` is taken for what lets every other row through, where the `or` was taken
-- for what lets one in seventy through, so that the database sorted a whole history to find its next thousand.
alter policy own on trade_deals using (
  workspace_id = (select scope_workspace())
  and case (select scope_actor())
    when 'member' then member_id = (select scope_member())
    when 'staff' then true
    when 'system' then true
    else false
  end);

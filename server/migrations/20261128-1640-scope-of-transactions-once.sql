-- The scope is read once per statement, as for trades, instead of three times per row: a count of a member's transactions
-- reads a row for each of them. `case` because of `or` the planner expects that few rows pass.
alter policy own on balance_transactions using (
  workspace_id = (select scope_workspace())
  and case (select scope_actor())
    when 'member' then member_id = (select scope_member())
    when 'staff' then true
    when 'system' then true
    else false
  end);

-- How much of a coin was sent is the member's business too. They read the orders of their own payouts and change none.
create policy read_own on payout_orders for select
  using (workspace_id = scope_workspace() and scope_actor() = 'member' and member_id = scope_member());

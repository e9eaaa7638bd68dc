-- Who brought a member to the brokerage.
alter table members add column referred_by uuid;
alter table members add constraint members_referred_by
  foreign key (workspace_id, referred_by) references members (workspace_id, member_id);
create index members_referred_by on members (workspace_id, referred_by) where referred_by is not null;

-- What a sales person may know of the members they referred: these seven facts, none of them money, no address, no way to
-- reach anybody. A policy would have opened whole rows; this takes no argument, so nobody can ask it for somebody else's.
-- It looks at the scope alone: the member must be a sales person, and not a locked one, at this moment.
create function referred_clients() returns table (
  member_id uuid, first_name text, last_name text, customer_number text, status text, live_count integer, demo_count integer
) language sql stable security definer set search_path = pg_catalog, public as $$
  select client.member_id, client.first_name, client.last_name, client.customer_number, client.status,
    (count(account.account_id) filter (where account.live_account and not account.deleted))::integer,
    (count(account.account_id) filter (where not account.live_account and not account.deleted))::integer
  from public.members as seller
  join public.members as client
    on client.workspace_id = seller.workspace_id and client.referred_by = seller.member_id
  left join public.trading_accounts as account
    on account.workspace_id = client.workspace_id and account.member_id = client.member_id
  where public.scope_actor() = 'member'
    and seller.workspace_id = public.scope_workspace() and seller.member_id = public.scope_member()
    and seller.type = 'sales_person' and seller.status = 'active'
    and client.workspace_id = public.scope_workspace()
  group by client.workspace_id, client.member_id
$$;
revoke execute on function referred_clients() from public;
grant execute on function referred_clients() to atrium_program;

-- Row security is forced on the owner too, with whose rights the function runs: only a superuser passes by it.
create policy read_for_referrals on members for select to current_user using (workspace_id = scope_workspace());
create policy read_for_referrals on trading_accounts for select to current_user using (workspace_id = scope_workspace());

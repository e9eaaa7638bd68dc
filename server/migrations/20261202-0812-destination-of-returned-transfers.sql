-- The credit of a withdrawal's transfer that came back names the provider to which its money is to be returned again. Those credited
-- before named none, so that their part counted as returned.
-- Running processes lock a transaction before its exception: the other way round, one of them and this migration would wait for each other.
lock table balance_transactions, payment_cases in access exclusive mode;
alter table balance_transactions no force row level security;
alter table payment_cases no force row level security;
update balance_transactions as credited set destination = withdrawal.destination
from payment_cases returned
join balance_transactions withdrawal
  on withdrawal.workspace_id = returned.workspace_id and withdrawal.transaction_id = returned.withdrawal_id
where credited.workspace_id = returned.workspace_id and credited.transaction_id = returned.transaction_id
  and credited.type = 'deposit' and credited.source = 'other' and credited.payment_method = 'manual'
  and credited.destination is null and withdrawal.destination like 'psp:%';
alter table payment_cases force row level security;
alter table balance_transactions force row level security;

-- From where a member asked for a withdrawal: some providers want to know it when they pay out. It stood in the audit log alone,
-- which is a record and nothing to work from.
alter table balance_transactions add column asked_from inet;
update balance_transactions as asked set asked_from = entry.address
from audit_log as entry
where entry.workspace_id = asked.workspace_id and entry.subject_kind = 'balance_transaction'
  and entry.subject_id = asked.transaction_id
  and entry.action = 'withdrawal.requested'
  and asked.type = 'withdrawal' and asked.state in ('pending', 'debiting', 'checking', 'paying');

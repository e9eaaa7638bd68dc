import { Link } from '@tanstack/react-router'
import type { AuditEntry } from './use-audit.ts'

/** The name of an entry's subject, linked to its page if it has one. */
export function SubjectLink({ entry: { subject, action }, name }: { entry: AuditEntry; name: string }) {
  const id = subject._id
  if (subject.kind === 'balance_transaction' && action.startsWith('withdrawal.'))
    return (
      <Link to="/withdrawals/{-$withdrawalId}" params={{ withdrawalId: id }} search={{ state: 'all' }}>
        {name}
      </Link>
    )
  if (subject.kind === 'balance_transaction')
    return (
      <Link to="/deposits/{-$depositId}" params={{ depositId: id }} search={{ state: 'all' }}>
        {name}
      </Link>
    )
  if (subject.kind === 'ticket')
    return (
      <Link to="/tickets/{-$ticketId}" params={{ ticketId: id }}>
        {name}
      </Link>
    )
  if (subject.kind === 'request')
    return (
      <Link to="/requests/{-$requestId}" params={{ requestId: id }}>
        {name}
      </Link>
    )
  if (subject.kind === 'trading_account')
    return (
      <Link to="/trading-accounts/$accountId" params={{ accountId: id }}>
        {name}
      </Link>
    )
  if (subject.kind === 'document')
    return (
      <Link to="/documents/{-$documentId}" params={{ documentId: id }}>
        {name}
      </Link>
    )
  return <bdi>{name}</bdi>
}

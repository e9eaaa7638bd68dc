import { useIsOpen, useSession } from '../features/session/session.ts'

/** Pending deposits have their own feature besides that of transactions. */
export function useHasPendingDeposits(): boolean {
  const isOpen = useIsOpen()
  return useSession().settings.features.pending_deposits_list === true && isOpen('transactions')
}

import { useIsOpen, useSession } from '../features/session/session.ts'

/** The list of them has a feature of its own beside that of the transactions. */
export function useHasPendingDeposits(): boolean {
  const isOpen = useIsOpen()
  return useSession().settings.features.pending_deposits_list === true && isOpen('transactions')
}

import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { useState } from 'react'

export type Returnable = DeskWithdrawal & { returnable: string }

/**
 * The report of a returned transfer, about the amount at its opening. It stays with the text typed in it when a colleague's report
 * leaves nothing to return; the server then says so.
 */
export function useReturn(withdrawal: DeskWithdrawal) {
  const [reported, setReported] = useState<Returnable | null>(null)
  const { state, returnable } = withdrawal
  const offered = state === 'approved' && returnable !== null ? { ...withdrawal, returnable } : null
  return {
    isOffered: offered !== null,
    reported,
    open: () => setReported(offered),
    close: () => setReported(null),
  }
}

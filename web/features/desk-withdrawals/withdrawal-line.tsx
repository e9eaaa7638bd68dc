import { openStates } from '@atrium/contract/funding/states.ts'
import type { DeskWithdrawalRow } from '@atrium/contract/withdrawals/desk-calls.ts'
import { TransactionLine } from '../../ui/money/transaction-line.tsx'
import { stateLabels } from './withdrawal-labels.ts'

/** `isStateShown`: true in the All tab, where states differ; the other tabs name the state. */
export function WithdrawalLine({ row, isStateShown }: { row: DeskWithdrawalRow; isStateShown: boolean }) {
  return (
    <TransactionLine
      row={row}
      state={isStateShown ? stateLabels[row.state] : null}
      isIdentityShown={openStates.some((state) => state === row.state)}
    />
  )
}

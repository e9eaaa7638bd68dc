import type { Mismatch } from '@atrium/contract/reconciliation/desk-calls.ts'

/**
 * What staff can do with a mismatch. A comparison or a colleague may settle it while its explanation is written: the dialog
 * stays with the text, and the server says why it is not needed any more.
 */
export const offeredActs = ({ state }: Pick<Mismatch, 'state'>, isExplaining: boolean) => ({
  mayReopen: state === 'explained',
  mayExplain: state === 'open',
  hasDialog: state === 'open' || isExplaining,
})

import { openStates } from '@atrium/contract/funding/states.ts'
import { methodLabels, withoutPrefix } from '../../../ui/money/own-transactions.ts'
import { paidWith } from '../../../ui/money/paid-with.ts'
import type { Transaction } from '../funding.queries.ts'

export const isUnsettled = ({ state }: Pick<Transaction, 'state'>) => openStates.some((open) => open === state)

export function methodLabel({
  payment_method,
  psp_transaction,
}: Pick<Transaction, 'payment_method' | 'psp_transaction'>): string {
  const name = withoutPrefix(psp_transaction?.psp ?? payment_method ?? 'manual')
  return methodLabels[name] ?? name
}

/** The order of the specification; later providers follow. */
const filterOrder = 'coinpayments virtualpay zotapay skrill neteller safecharge nganluong sdsystem'.split(' ')

/** The providers in the list's filter. */
export const filterMethods = [...new Set([...filterOrder, ...Object.keys(paidWith)])].map((value) => ({
  value,
  label: methodLabels[value] ?? value,
}))

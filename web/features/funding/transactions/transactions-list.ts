import { limits } from '@atrium/contract/limits.ts'
import { choice, day, declareList, type FiltersOf, text } from '@atrium/contract/list.ts'
import { signedDecimal } from '@atrium/contract/money/money.ts'
import { normalizeNumber } from '@atrium/contract/money/number-marks.ts'
import type { TransactionsQueryVariables } from '../../../api/generated/graphql.ts'
import { momentsOfDays } from '../../../ui/lists/moments-of-days.ts'
import { filterMethods } from './transaction-labels.ts'

const number = text(/^\d+$/, 100)

/** The member's deposits and withdrawals, newest first. Days are in the reader's time zone. */
export const transactionsList = declareList({
  name: 'transactions',
  isNumbered: true,
  pageSize: limits.transactionsPageSize,
  filters: {
    ticket: number,
    account: number,
    kind: choice(['live', 'demo']),
    amount: text(signedDecimal, 100),
    type: choice(['deposit', 'withdrawal']),
    status: choice(['pending', 'approved', 'rejected', 'cancelled']),
    psp: choice(filterMethods.map(({ value }) => value)),
    from: day,
    to: day,
  },
})

type Filters = FiltersOf<typeof transactionsList>

type Asked = Pick<
  TransactionsQueryVariables,
  | 'ticket'
  | 'account_number'
  | 'live_account'
  | 'amount'
  | 'type'
  | 'status'
  | 'destination'
  | 'created_at_from'
  | 'created_at_to'
>

/** The variables of the query and of the export: only what is set. */
export function toAsked({ ticket, account, kind, amount, type, status, psp, ...days }: Filters): Asked {
  const { first, last } = momentsOfDays(days)
  return {
    ...(ticket && { ticket }),
    ...(account && { account_number: account }),
    ...(kind && { live_account: kind === 'live' }),
    ...(amount && { amount }),
    ...(type && { type }),
    ...(status && { status }),
    ...(psp && { destination: `psp:${psp}` }),
    ...(first !== undefined && { created_at_from: first }),
    ...(last !== undefined && { created_at_to: last }),
  }
}

/** A number as typed in any digits, or copied from screens and emails: `T-1035`, `#700123`. Other text is rejected. */
export function takeDigits(current: string, typed: string): string {
  const digits = normalizeNumber(typed).replace(/^[\s#]*(?:t-?)?/i, '')
  return /^\d*$/.test(digits) ? digits : current
}

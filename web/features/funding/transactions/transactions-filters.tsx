import { limits } from '@atrium/contract/limits.ts'
import { isDecimal } from '@atrium/contract/money/money.ts'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { DecimalField } from '../../../ui/fields/decimal-field.tsx'
import { useOutsideChange } from '../../../ui/fields/use-debounced-text.ts'
import { countFilters } from '../../../ui/lists/list-address.ts'
import { dayFields } from '../../../ui/lists/member/day-fields.tsx'
import { Fields } from '../../../ui/lists/member/list-fields.tsx'
import type { ListState } from '../../../ui/lists/use-list.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import type { Transaction } from '../use-funding.ts'
import { filterMethods } from './transaction-labels.ts'
import { takeDigits, transactionsList } from './transactions-list.ts'

type FiltersProps = {
  at: ListState<typeof transactionsList, Transaction, null>
  /** Of the currency of the amounts. */
  decimals: number
}

const digits = { inputMode: 'numeric', take: takeDigits } as const

export function TransactionsFilters({ at, decimals }: FiltersProps) {
  return (
    <Fields
      at={at}
      fields={{
        ticket: { label: 'Ticket number', typed: digits },
        account: { label: 'Account number', typed: digits },
        kind: { label: 'Accounts', labels: { live: 'Live', demo: 'Demo' } },
        amount: ({ search, change }) => (
          <AmountFilter
            value={search.amount ?? ''}
            isNarrowed={countFilters(transactionsList, search) > 0}
            decimals={decimals}
            onChange={(amount) => change({ amount })}
          />
        ),
        type: { label: 'Type', labels: { deposit: 'Deposit', withdrawal: 'Withdrawal' } },
        status: {
          label: 'Status',
          labels: { pending: 'Pending', approved: 'Approved', rejected: 'Rejected', cancelled: 'Cancelled' },
        },
        psp: { label: 'PSP', data: filterMethods },
        from: dayFields,
      }}
    />
  )
}

type AmountFilterProps = { value: string; isNarrowed: boolean; decimals: number; onChange: (amount: string) => void }

const isUnderstood = (amount: string) => amount === '' || isDecimal(amount)

/** An invalid amount does not filter: the field shows the error, and the list is unchanged. */
function AmountFilter({ value, isNarrowed, decimals, onChange }: AmountFilterProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  // Other filters leave an invalid amount as typed; clearing them all removes it.
  const noteReport = useOutsideChange(value, (next) =>
    setTyped((now) => (isNarrowed && !isUnderstood(now) ? now : next)),
  )
  useEffect(() => {
    if (!isNarrowed) setTyped((now) => (isUnderstood(now) ? now : ''))
  }, [isNarrowed])
  const applyLater = useDebouncedCallback((amount: string) => {
    if (!isUnderstood(amount)) return
    noteReport(amount)
    onChange(amount)
  }, limits.filterDebounceMs)
  return (
    <DecimalField
      size="sm"
      label={t('Amount')}
      line="between"
      decimals={decimals}
      unit="any"
      value={typed}
      onChange={(amount) => {
        setTyped(amount)
        applyLater(amount)
      }}
    />
  )
}

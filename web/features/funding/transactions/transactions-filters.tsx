import { limits } from '@atrium/contract/limits.ts'
import { isDecimal } from '@atrium/contract/money/money.ts'
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { DecimalField } from '../../../ui/fields/decimal-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { DayFilters, FoldingFilters } from '../../../ui/lists/folding-filters.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { filterMethods } from './transaction-labels.ts'
import { countFilters, type TransactionFilters, takeDigits } from './transactions-search.ts'

type FiltersProps = {
  filters: TransactionFilters
  /** Of the currency of the amounts. */
  decimals: number
  onChange: (filters: TransactionFilters) => void
}

const isUnderstood = (amount: string) => amount === '' || isDecimal(amount)

/** Choices apply immediately, typed text after a short pause. The address holds the applied filters, the state the typed text. */
export function TransactionsFilters({ filters, decimals, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(filters)
  // An invalid amount does not filter: its field shows the error, and the list is unchanged.
  const apply = (next: TransactionFilters) =>
    onChange({ ...next, amount: isUnderstood(next.amount) ? next.amount : filters.amount })
  const applyLater = useDebouncedCallback(apply, limits.filterDebounceMs)
  const key = JSON.stringify(filters)
  useEffect(
    () =>
      setDraft(({ amount }) => {
        const next: TransactionFilters = JSON.parse(key)
        const isCleared = countFilters(next) === 0
        return isCleared || isUnderstood(amount) ? next : { ...next, amount }
      }),
    [key],
  )

  const choose = (change: Partial<TransactionFilters>) => {
    const next = { ...draft, ...change }
    setDraft(next)
    apply(next)
  }
  const type = (name: keyof TransactionFilters, take: typeof takeDigits) => ({
    value: draft[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const next = { ...draft, [name]: take(draft[name], event.currentTarget.value) }
      setDraft(next)
      applyLater(next)
    },
  })
  const pick = (name: keyof TransactionFilters) => ({
    value: draft[name] || null,
    clearable: true,
    placeholder: t('Any'),
    onChange: (value: string | null) => choose({ [name]: value ?? '' }),
  })
  return (
    <FoldingFilters active={countFilters(filters)} columns={5}>
      <TextInput size="sm" label={t('Ticket number')} inputMode="numeric" {...type('ticket', takeDigits)} />
      <TextInput size="sm" label={t('Account number')} inputMode="numeric" {...type('account', takeDigits)} />
      <Select
        size="sm"
        label={t('Accounts')}
        data={[
          { value: 'live', label: t('Live') },
          { value: 'demo', label: t('Demo') },
        ]}
        {...pick('kind')}
      />
      <DecimalField
        size="sm"
        label={t('Amount')}
        line="between"
        decimals={decimals}
        unit="any"
        value={draft.amount}
        onChange={(amount) => {
          const next = { ...draft, amount }
          setDraft(next)
          applyLater(next)
        }}
      />
      <Select
        size="sm"
        label={t('Type')}
        data={[
          { value: 'deposit', label: t('Deposit') },
          { value: 'withdrawal', label: t('Withdrawal') },
        ]}
        {...pick('type')}
      />
      <Select
        size="sm"
        label={t('Status')}
        data={[
          { value: 'pending', label: t('Pending') },
          { value: 'approved', label: t('Approved') },
          { value: 'rejected', label: t('Rejected') },
          { value: 'cancelled', label: t('Cancelled') },
        ]}
        {...pick('status')}
      />
      <Select size="sm" label={t('PSP')} data={filterMethods} {...pick('psp')} />
      <DayFilters from={draft.from} to={draft.to} onChange={choose} />
    </FoldingFilters>
  )
}

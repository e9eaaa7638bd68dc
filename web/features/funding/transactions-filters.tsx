import { limits } from '@atrium/contract/limits.ts'
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nextAmountText } from '../../ui/amount-text.ts'
import { DayFilters, FoldingFilters } from '../../ui/folding-filters.tsx'
import { Select } from '../../ui/select.tsx'
import { filterMethods } from './transaction-words.ts'
import { countFilters, type TransactionFilters } from './transactions-search.ts'

type FiltersProps = { filters: TransactionFilters; onChange: (filters: TransactionFilters) => void }

const digits = (current: string, typed: string) => (/^\d*$/.test(typed) ? typed : current)

/** Choices apply at once, typing after a short pause. The address holds what counts; this holds what is being typed. */
export function TransactionsFilters({ filters, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(filters)
  const applyLater = useDebouncedCallback(onChange, limits.filterDebounceMs)
  const key = JSON.stringify(filters)
  useEffect(() => setDraft(JSON.parse(key)), [key])

  const choose = (change: Partial<TransactionFilters>) => {
    const next = { ...draft, ...change }
    setDraft(next)
    onChange(next)
  }
  const type = (name: keyof TransactionFilters, take: typeof digits) => ({
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
    <FoldingFilters active={countFilters(filters)} columns={4}>
      <TextInput size="sm" label={t('Ticket number')} inputMode="numeric" {...type('ticket', digits)} />
      <TextInput size="sm" label={t('Account number')} inputMode="numeric" {...type('account', digits)} />
      <TextInput size="sm" label={t('Amount')} inputMode="decimal" {...type('amount', nextAmountText)} />
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
        ]}
        {...pick('status')}
      />
      <Select size="sm" label={t('PSP')} data={filterMethods} {...pick('psp')} />
      <DayFilters from={draft.from} to={draft.to} onChange={choose} />
    </FoldingFilters>
  )
}

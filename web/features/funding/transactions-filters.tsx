import { limits } from '@atrium/contract/limits.ts'
import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nextAmountText } from '../../ui/amount-text.ts'
import { DateInput } from '../../ui/date-input.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import parts from './transaction-parts.module.css'
import { filterMethods } from './transaction-words.ts'
import { countFilters, type TransactionFilters } from './transactions-search.ts'

type FiltersProps = { filters: TransactionFilters; onChange: (filters: TransactionFilters) => void }

const digits = (current: string, typed: string) => (/^\d*$/.test(typed) ? typed : current)

/** Choices apply at once, typing after a short pause. The address holds what counts; this holds what is being typed. */
export function TransactionsFilters({ filters, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const [isShown, setShown] = useState(false)
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
  const active = countFilters(filters)
  return (
    <search className={parts.filterBar} aria-label={t('Filters')}>
      {isPhone && (
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.5} />}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {active > 0 ? t('Filters ({{number}})', { number: active }) : t('Filters')}
        </Button>
      )}
      {(!isPhone || isShown) && (
        <div className={parts.filters}>
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
          <DateInput size="sm" label={t('From')} value={draft.from} onChange={(from) => choose({ from })} />
          <DateInput size="sm" label={t('To')} value={draft.to} onChange={(to) => choose({ to })} />
        </div>
      )}
    </search>
  )
}

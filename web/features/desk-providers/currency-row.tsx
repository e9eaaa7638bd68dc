import { termsField } from '@atrium/contract/payment-terms.ts'
import { ActionIcon, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import rows from '../../ui/desk-rows.module.css'
import parts from './providers.module.css'
import type { Provider } from './use-providers.ts'

export type Terms = Provider['currencies'][number]

type CurrencyRowProps = {
  terms: Terms
  wordsOf: (field: string) => string | undefined
  onChange: (part: Partial<Terms>) => void
  onTake: () => void
}

/** What counts in one currency. The fee comes on top of the amount that is credited. */
export function CurrencyRow({ terms, wordsOf, onChange, onTake }: CurrencyRowProps) {
  const { t } = useTranslation()
  const { currency } = terms
  const field = (name: Exclude<keyof Terms, 'currency'>) => ({
    value: terms[name],
    error: wordsOf(termsField(currency, name)),
    inputMode: 'decimal' as const,
    maxLength: 40,
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  })
  return (
    <li className={parts.entry} aria-label={currency}>
      <div className={parts.entryHead}>
        <span className={rows.strong}>{currency}</span>
        <ActionIcon aria-label={t('Take {{name}} away', { name: currency })} onClick={onTake}>
          <IconX size={16} stroke={1.5} />
        </ActionIcon>
      </div>
      <div className={parts.fields}>
        <TextInput label={t('Smallest amount')} {...field('amount_min')} />
        <TextInput label={t('Largest amount')} {...field('amount_max')} />
        <TextInput label={t('Fee, percent')} {...field('fee_percent')} />
        <TextInput label={t('Fee, fixed')} {...field('fee_fixed')} />
      </div>
    </li>
  )
}

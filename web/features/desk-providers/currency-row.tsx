import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import { termsField } from '@atrium/contract/payments/terms.ts'
import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { DecimalField } from '../../ui/fields/decimal-field.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './providers.module.css'
import type { Provider } from './use-providers.ts'

export type Terms = Provider['currencies'][number]

type CurrencyRowProps = {
  terms: Terms
  errorOf: (field: string) => string | undefined
  onChange: (part: Partial<Terms>) => void
  onTake: () => void
}

const percentDecimals = 4

/** Terms in one currency. The fee is charged on top of the credited amount. */
export function CurrencyRow({ terms, errorOf, onChange, onTake }: CurrencyRowProps) {
  const { t } = useTranslation()
  const { currency } = terms
  const field = (name: Exclude<keyof Terms, 'currency'>) => ({
    value: terms[name],
    error: errorOf(termsField(currency, name)),
    line: 'between' as const,
    decimals: name === 'fee_percent' ? percentDecimals : currencyDecimals(currency),
    unit: name === 'fee_percent' ? '%' : currency,
    onChange: (typed: string) => onChange({ [name]: typed }),
  })
  return (
    <li className={parts.entry} aria-label={currency}>
      <div data-group="none" data-nowrap data-align="center" data-justify="between">
        <span className={rows.strong}>{currency}</span>
        <ActionIcon aria-label={t('Remove {{name}}', { name: currency })} onClick={onTake}>
          <IconX size={16} stroke={1.5} />
        </ActionIcon>
      </div>
      <div className={parts.fields}>
        <DecimalField label={t('Minimum amount')} {...field('amount_min')} />
        <DecimalField label={t('Maximum amount')} {...field('amount_max')} />
        <DecimalField label={t('Fee (%)')} {...field('fee_percent')} />
        <DecimalField label={t('Fixed fee')} {...field('fee_fixed')} />
      </div>
    </li>
  )
}

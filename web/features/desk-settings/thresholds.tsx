import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import type { WithdrawalSettings } from '@atrium/contract/withdrawals/calls.ts'
import { Button } from '@mantine/core'
import { DecimalField } from '../../ui/fields/decimal-field.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './settings.module.css'
import { useRemoval } from './use-removal.ts'

/** The maximum number of decimals in a rule. */
export const ruleDecimals = 8
/** `*` means any currency; an incomplete code is not valid yet. */
const isCode = (currency: string) => /^[A-Z0-9]{3,5}$/.test(currency)
export const decimalsOf = (currency: string) =>
  isCode(currency) ? Math.min(ruleDecimals, currencyDecimals(currency)) : ruleDecimals
export const unitOf = (currency: string) => (isCode(currency) ? currency : 'any')

/** Rows have no id, so their index is the key; they hold no state outside the form. */
export const withPlaces = <Row,>(rows: readonly Row[]) =>
  rows.map((each, index) => ({ each, index, key: `row-${index}` }))

type Limits = WithdrawalSettings['withdrawal_four_eyes_above']
type ThresholdsProps = {
  label: string
  /** The initial threshold of an added currency. */
  added?: string
  values: Limits
  error: string | undefined
  onChange: (values: Limits) => void
}

/** Amounts above which a rule applies, one row per currency. */
export function Thresholds({ label, added = '10000', values, error, onChange }: ThresholdsProps) {
  const { t } = useTranslation()
  const { adding, remove } = useRemoval(values, onChange)
  const replace = (index: number, next: Partial<Limits[number]>) =>
    onChange(values.map((limit, at) => (at === index ? { ...limit, ...next } : limit)))
  return (
    <>
      {withPlaces(values).map(({ key, each: limit, index }) => (
        <div key={key} data-group="sm" data-align="end">
          <TextInput
            label={t('Currency')}
            charsMax={5}
            styles={{ input: { width: 96 } }}
            value={limit.currency}
            onChange={(event) => replace(index, { currency: event.currentTarget.value.trim().toUpperCase() })}
          />
          <DecimalField
            label={label}
            styles={{ input: { width: 160 } }}
            line="between"
            decimals={decimalsOf(limit.currency)}
            unit={unitOf(limit.currency)}
            value={limit.above}
            onChange={(above) => replace(index, { above })}
          />
          <Button
            variant="default"
            size="xs"
            aria-label={t('Remove {{name}}', { name: `${label}, ${limit.currency || index + 1}` })}
            onClick={() => remove(index)}
          >
            {t('Remove')}
          </Button>
        </div>
      ))}
      {error && (
        <p className={parts.problem} role="alert">
          {error}
        </p>
      )}
      <div>
        <Button
          ref={adding}
          variant="default"
          size="xs"
          onClick={() => onChange([...values, { currency: '', above: added }])}
        >
          {t('Add a currency')}
        </Button>
      </div>
    </>
  )
}

import { useMemo } from 'react'
import { readerLanguage } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import { requiredLabel } from './required-label.ts'
import { Select } from './select.tsx'

type CurrencySelectProps = {
  label: string
  codes: readonly string[]
  value: string
  error: string | undefined
  onChange: (code: string) => void
}

/** Currencies in the order of their codes, with a name if one is known. The first option, and the default, is none. */
export function CurrencySelect({ label, codes, value, error, onChange }: CurrencySelectProps) {
  const { t } = useTranslation()
  const none = t('Choose a currency')
  const data = useMemo(
    () => [{ value: '', label: none }, ...[...codes].sort().map((code) => ({ value: code, label: labelOf(code) }))],
    [codes, none],
  )
  return (
    <Select
      label={label}
      labelProps={requiredLabel}
      required
      withAsterisk={false}
      searchable
      clearable
      placeholder={none}
      nothingFoundMessage={t('No matching currency')}
      clearButtonProps={{ 'aria-label': t('Clear the currency') }}
      data={data}
      value={value || null}
      error={error}
      onChange={(code) => onChange(code ?? '')}
    />
  )
}

function labelOf(code: string): string {
  const names = new Intl.DisplayNames([readerLanguage()], { type: 'currency', fallback: 'none' })
  const name = /^[A-Z]{3}$/.test(code) ? names.of(code) : undefined
  return name && name !== code ? `${code} \u00b7 ${name}` : code
}

import { currencyDecimals, currencySign } from '@atrium/contract/currencies.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { nextAmountText } from './amount-text.ts'
import parts from './money-input.module.css'

type MoneyInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
  value: string
  onChange: (value: string) => void
  currency: string | null
}

/** An amount as text, exactly as typed, with its currency (and its sign, where it has one) inside the field. Without a currency any decimals are taken. */
export function MoneyInput({ value, onChange, currency, ...rest }: MoneyInputProps) {
  const sign = currency && currencySign(currency)
  const decimals = currency === null ? undefined : currencyDecimals(currency)
  return (
    <TextInput
      {...rest}
      classNames={{ input: parts.input ?? '' }}
      value={value}
      onChange={(event) => onChange(nextAmountText(value, event.currentTarget.value, decimals))}
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      placeholder={decimals === 0 ? '0' : '0.00'}
      leftSection={sign && <span className={parts.sign}>{sign}</span>}
      leftSectionPointerEvents="none"
      rightSectionWidth={64}
      rightSectionPointerEvents="none"
      rightSection={currency && <span className={parts.currency}>{currency}</span>}
    />
  )
}

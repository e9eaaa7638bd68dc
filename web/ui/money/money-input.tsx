import { currencyDecimals, currencySign } from '@atrium/contract/money/currencies.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import { shownNumber } from '@atrium/contract/money/number-texts.ts'
import { decimalsMax } from '@atrium/contract/money/typed-number.ts'
import { DecimalField, type DecimalFieldProps } from '../fields/decimal-field.tsx'
import { readerLanguage } from '../text/format.ts'
import { zeroText } from './amount-text.ts'
import parts from './money-input.module.css'

type MoneyInputProps = Omit<DecimalFieldProps, 'decimals' | 'unit' | 'describe'> & {
  currency: string | null
  /** "You pay 100.50 USD": confirms the parsed amount, formatted for the reader. */
  describe: (money: string) => string
}

/** An amount with its currency (and its sign, if it has one) inside the field. Without a currency, any decimals are accepted. */
export function MoneyInput({ currency, describe, ...rest }: MoneyInputProps) {
  const sign = currency && currencySign(currency)
  const decimals = currency === null ? decimalsMax : currencyDecimals(currency)
  return (
    <DecimalField
      placeholder={zeroText(currency, readerLanguage())}
      {...rest}
      decimals={decimals}
      unit={currency ?? 'any'}
      describe={(amount, language) =>
        describe(
          currency === null
            ? shownNumber(amount, language, 2)
            : `${formatAmount(amount, currency, language)} ${currency}`,
        )
      }
      classNames={{ input: parts.input ?? '' }}
      leftSection={sign && <span className={parts.sign}>{sign}</span>}
      leftSectionPointerEvents="none"
      rightSectionWidth={64}
      rightSectionPointerEvents="none"
      rightSection={currency && <span className={parts.currency}>{currency}</span>}
    />
  )
}

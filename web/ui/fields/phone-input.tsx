import { readPhone, shownPhone, validatePhone } from '@atrium/contract/validators/phone.ts'
import { phoneCountries, withCallingCode } from '@atrium/contract/validators/phone-countries.ts'
import { IconChevronDown } from '@tabler/icons-react'
import { type FocusEvent, useState } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import parts from './phone-input.module.css'
import { TextInput, type TextInputProps } from './text-input.tsx'

type PhoneInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'onBlur' | 'onFocus' | 'leftSection'> & {
  value: string
  onChange: (value: string) => void
  /** The country for a number without a country code: the owner's own. */
  country?: string | undefined
}

/**
 * A phone number in any format, with a country picker. On blur, the parsed number is written out or the error is shown;
 * neither happens during typing.
 */
export function PhoneInput({ value, onChange, country, error, ...rest }: PhoneInputProps) {
  const { t } = useTranslation()
  const [isLeft, setLeft] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const invalid = isLeft ? validatePhone(value, country) : null
  const leave = ({ relatedTarget }: FocusEvent) => {
    // A new error line would move a button away during the click.
    setLeft(!(relatedTarget instanceof HTMLButtonElement))
    const read = readPhone(value, country)
    // An untouched number stays as it was saved.
    if (isTyped && 'number' in read) onChange(shownPhone(read.number))
  }
  return (
    <TextInput
      placeholder="+356 2122 4455"
      {...rest}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      value={value}
      error={error || (invalid && t(invalid))}
      leftSection={<CountryPicker value={value} country={country} onChange={onChange} />}
      leftSectionWidth={92}
      leftSectionPointerEvents="all"
      onFocus={() => setLeft(false)}
      onBlur={leave}
      onChange={(event) => {
        setTyped(true)
        onChange(event.currentTarget.value)
      }}
    />
  )
}

const countries = phoneCountries()

type CountryPickerProps = Pick<PhoneInputProps, 'value' | 'onChange' | 'country'>

/** A native select, which every phone shows in its own way; only the code is visible. */
function CountryPicker({ value, country, onChange }: CountryPickerProps) {
  const { t } = useTranslation()
  const read = readPhone(value, country)
  const code = 'country' in read ? read.country : value.trim() === '' ? country : undefined
  const chosen = countries.find((one) => one.code === code)
  return (
    <span className={parts.picker}>
      <span aria-hidden>{chosen?.code ?? t('Country')}</span>
      <IconChevronDown size={14} stroke={1.5} aria-hidden />
      <select
        aria-label={t('Calling code')}
        value={chosen?.code ?? ''}
        onChange={(event) => {
          const picked = countries.find((one) => one.code === event.currentTarget.value)
          if (picked) onChange(withCallingCode(value, picked))
        }}
      >
        <option value="" disabled>
          {t('Country')}
        </option>
        {countries.map(({ code: each, name, calling }) => (
          <option key={each} value={each}>{`${name} ${calling}`}</option>
        ))}
      </select>
    </span>
  )
}

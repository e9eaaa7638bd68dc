import { limits } from '@atrium/contract/limits.ts'
import { useCountries } from '../../forms/use-countries.ts'
import { PhoneInput } from '../../ui/fields/phone-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import formPage from '../../ui/forms/form-page.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DepositCoinField } from './deposit/deposit-coin-field.tsx'
import chips from './deposit/deposit-form.module.css'
import type { Way } from './deposit/use-deposit-ways.ts'
import { WayChoices } from './deposit/way-choices.tsx'
import type { PaymentForm } from './use-payment-form.ts'

type PaymentFieldsProps = {
  form: PaymentForm
  /** The provider's identifier, if it takes coins. */
  coinsOf: string | null
  ways: readonly Way[]
}

/** What a provider needs beyond account and amount, prefilled from the profile. */
export function PaymentFields(props: PaymentFieldsProps) {
  const { t } = useTranslation()
  const { form } = props
  return (
    <>
      {props.coinsOf !== null && (
        <fieldset className={formPage.step}>
          <legend className={formPage.legend}>{t('Coin')}</legend>
          <DepositCoinField
            method={props.coinsOf}
            chosen={form.values.coin}
            error={form.errorOf('coin')}
            onChoose={(coin) => form.change({ coin })}
          />
        </fieldset>
      )}
      {props.ways.length > 1 && (
        <fieldset className={formPage.step}>
          <legend className={formPage.legend}>{t('Pay with')}</legend>
          <WayChoices
            ways={props.ways}
            chosen={form.way}
            isWrong={form.errorOf('way') !== undefined}
            onChoose={(way) => form.change({ way })}
          />
          {form.errorOf('way') && <p className={chips.error}>{form.errorOf('way')}</p>}
        </fieldset>
      )}
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Billing details')}</legend>
        <PayerFields {...props} />
      </fieldset>
    </>
  )
}

function PayerFields({ form }: PaymentFieldsProps) {
  const { t } = useTranslation()
  const { values: draft, errorOf, change } = form
  const countries = useCountries(errorOf('country'))
  const text = (name: 'city' | 'address_line_1' | 'email', charsMax: number) => ({
    required: true,
    value: draft[name],
    charsMax: charsMax,
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      <TextInput
        label={t('Street and number')}
        autoComplete="address-line1"
        {...text('address_line_1', limits.addressLineCharsMax)}
      />
      <div data-columns="fields">
        <TextInput label={t('City')} autoComplete="address-level2" {...text('city', limits.placeCharsMax)} />
        <Select
          label={t('Country')}
          required
          searchable
          autoComplete="country-name"
          {...countries}
          value={draft.country || null}
          onChange={(country) => change({ country: country ?? '' })}
        />
        <PhoneInput
          label={t('Phone')}
          required
          country={draft.country}
          value={draft.phone}
          error={errorOf('phone')}
          onChange={(phone) => change({ phone })}
        />
        <TextInput
          label={t('Email')}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="email"
          {...text('email', limits.emailCharsMax)}
        />
      </div>
    </>
  )
}

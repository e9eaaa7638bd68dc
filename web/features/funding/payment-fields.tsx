import { limits } from '@atrium/contract/limits.ts'
import { readCountries } from '@atrium/contract/workspace.ts'

import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/transport.ts'
import formPage from '../../ui/form-page.module.css'
import { PhoneInput } from '../../ui/phone-input.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { DepositCoinField } from './deposit-coin-field.tsx'
import chips from './deposit-form.module.css'
import type { PaymentField } from './payment-draft.ts'
import parts from './payment-form.module.css'
import type { Way } from './use-deposit-ways.ts'
import type { PaymentForm } from './use-payment-form.ts'
import { WayChoices } from './way-choices.tsx'

type PaymentFieldsProps = {
  form: PaymentForm
  /** Where the chosen provider takes coins, its name in the program. */
  coinsOf: string | null
  ways: readonly Way[]
  fieldRef: (field: PaymentField) => (element: HTMLElement | null) => void
}

/** What a provider asks for beyond account and amount, filled in as far as the profile knows it. */
export function PaymentFields(props: PaymentFieldsProps) {
  const { t } = useTranslation()
  const { form, fieldRef } = props
  return (
    <>
      {props.coinsOf !== null && (
        <fieldset className={formPage.step}>
          <legend className={formPage.legend}>{t('Coin')}</legend>
          <DepositCoinField
            method={props.coinsOf}
            chosen={form.draft.coin}
            error={form.errors.coin}
            onChoose={(coin) => form.change({ coin })}
            inputRef={fieldRef('coin') as Ref<HTMLInputElement>}
          />
        </fieldset>
      )}
      {props.ways.length > 1 && (
        <fieldset className={formPage.step}>
          <legend className={formPage.legend}>{t('Pay with')}</legend>
          <WayChoices
            ways={props.ways}
            chosen={form.way}
            isWrong={form.errors.way !== undefined}
            onChoose={(way) => form.change({ way })}
            firstRef={fieldRef('way')}
          />
          {form.errors.way && <p className={chips.error}>{t(form.errors.way)}</p>}
        </fieldset>
      )}
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Billing details')}</legend>
        <PayerFields {...props} />
      </fieldset>
    </>
  )
}

function PayerFields({ form, fieldRef }: PaymentFieldsProps) {
  const { t } = useTranslation()
  const { draft, errors, change } = form
  const countries = useQuery({
    queryKey: ['countries'],
    queryFn: async () => (await call(readCountries, {})).countries,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const text = (name: 'city' | 'address_line_1' | 'email', charsMax: number) => ({
    ref: fieldRef(name) as Ref<HTMLInputElement>,
    required: true,
    value: draft[name],
    charsMax: charsMax,
    error: errors[name] && t(errors[name]),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      <TextInput
        label={t('Street and number')}
        autoComplete="address-line1"
        {...text('address_line_1', limits.addressLineCharsMax)}
      />
      <div className={parts.pair}>
        <TextInput label={t('City')} autoComplete="address-level2" {...text('city', limits.placeCharsMax)} />
        <Select
          ref={fieldRef('country') as Ref<HTMLInputElement>}
          label={t('Country')}
          required
          searchable
          autoComplete="country-name"
          nothingFoundMessage={t('No matching country')}
          data={(countries.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          value={draft.country || null}
          error={errors.country && t(errors.country)}
          onChange={(country) => change({ country: country ?? '' })}
        />
        <PhoneInput
          ref={fieldRef('phone') as Ref<HTMLInputElement>}
          label={t('Phone')}
          required
          country={draft.country}
          value={draft.phone}
          error={errors.phone && t(errors.phone)}
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

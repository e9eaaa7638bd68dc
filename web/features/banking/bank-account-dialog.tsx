import { fiatCodes } from '@atrium/contract/currencies.ts'
import { destinationLimits } from '@atrium/contract/destination-limits.ts'
import { bankAccountInput, createBankAccount, updateBankAccount } from '@atrium/contract/destinations.ts'
import { limits } from '@atrium/contract/limits.ts'
import { countryOfIban } from '@atrium/contract/validators/bank.ts'
import { readCountries } from '@atrium/contract/workspace.ts'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/transport.ts'
import { CurrencySelect } from '../../ui/currency-select.tsx'
import { type DialogTools, FormDialog } from '../../ui/form-dialog.tsx'
import { requiredLabel } from '../../ui/required-label.ts'
import { Select } from '../../ui/select.tsx'
import { Callout } from '../../ui/state.tsx'
import parts from './banking.module.css'

import { RestHint } from './rest.tsx'
import type { BankAccount } from './use-banking.ts'
import { useDestinationForm } from './use-destination-form.ts'

type BankAccountDialogProps = { account: BankAccount | 'new' | null; onClose: () => void }

export function BankAccountDialog({ account, onClose }: BankAccountDialogProps) {
  const { t } = useTranslation()
  const title = account === 'new' ? t('Add Bank Account') : t('Edit Bank Account')
  return (
    <FormDialog title={title} size={720} isOpen={account !== null} onClose={onClose} isFirm>
      {(tools) => account && <BankAccountForm account={account === 'new' ? null : account} tools={tools} />}
    </FormDialog>
  )
}

const labels = {
  currency: 'Currency',
  account_holder: 'Account Holder',
  iban_number: 'IBAN',
  bank_account: 'Account Number',
  swift: 'SWIFT / BIC',
  bank_name: 'Bank Name',
  address_line_1: 'Street Address',
  city: 'City',
  state: 'State/Province',
  country: 'Country',
}
type Field = keyof typeof labels
type Draft = Record<Field, string>

const draftOf = (account: BankAccount | null): Draft => ({
  currency: account?.currency ?? '',
  account_holder: account?.account_holder ?? '',
  iban_number: account?.iban_number ?? '',
  bank_account: account?.bank_account ?? '',
  swift: account?.swift ?? '',
  bank_name: account?.bank_name ?? '',
  address_line_1: account?.address_line_1 ?? '',
  city: account?.city ?? '',
  state: account?.state ?? '',
  country: account?.country?._id ?? '',
})

type BankAccountFormProps = { account: BankAccount | null; tools: DialogTools }

function BankAccountForm({ account, tools }: BankAccountFormProps) {
  const { t } = useTranslation()
  const { form, draft, problem, problemOf, isSaving, submit, change } = useDestinationForm<Draft, Field>({
    start: draftOf(account),
    schema: bankAccountInput,
    labels,
    tools,
    send: (values) =>
      account ? call(updateBankAccount, { ...values, _id: account._id }) : call(createBankAccount, values),
  })
  const fieldOf = (name: Exclude<Field, 'country' | 'currency'>, charsMax: number, isRequired = true) => ({
    label: t(labels[name]),
    required: isRequired,
    withAsterisk: false,
    ...(isRequired && { labelProps: requiredLabel }),
    value: draft[name],
    maxLength: charsMax,
    autoComplete: 'off',
    error: problemOf(name),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  // What an IBAN says of its country need not be chosen again.
  const changeIban = (iban_number: string) => {
    const country = countryOfIban(iban_number)
    change({ iban_number, bank_account: draft.bank_account, ...(country && { country }) })
  }
  return (
    <form ref={form} className={parts.form} onSubmit={submit} noValidate>
      <div className={parts.pair}>
        <TextInput data-autofocus {...fieldOf('bank_name', destinationLimits.bankFieldCharsMax)} />
        <CurrencySelect
          label={t(labels.currency)}
          codes={fiatCodes}
          value={draft.currency}
          error={problemOf('currency')}
          onChange={(currency) => change({ currency })}
        />
        <TextInput {...fieldOf('account_holder', destinationLimits.bankFieldCharsMax)} />
        <TextInput {...fieldOf('swift', 11)} />
        <TextInput
          {...fieldOf('iban_number', 60, draft.bank_account.trim() === '')}
          description={t('Either the IBAN or the account number is needed.')}
          onChange={(event) => changeIban(event.currentTarget.value)}
        />
        <TextInput
          {...fieldOf('bank_account', destinationLimits.bankFieldCharsMax, draft.iban_number.trim() === '')}
          description={t('For banks in countries without IBAN.')}
          onChange={(event) => change({ bank_account: event.currentTarget.value, iban_number: draft.iban_number })}
        />
        <TextInput {...fieldOf('address_line_1', limits.addressLineCharsMax)} />
        <TextInput {...fieldOf('city', limits.placeCharsMax)} />
        <TextInput {...fieldOf('state', limits.placeCharsMax)} />
        <CountrySelect value={draft.country} error={problemOf('country')} onChange={(country) => change({ country })} />
      </div>
      <RestHint isNew={account === null} />
      {problem && <Callout meaning="red">{problem}</Callout>}
      <div className={parts.buttons}>
        <Button type="submit" loading={isSaving}>
          {t('Save bank account')}
        </Button>
      </div>
    </form>
  )
}

type CountrySelectProps = { value: string; error: string | undefined; onChange: (code: string) => void }

function CountrySelect({ value, error, onChange }: CountrySelectProps) {
  const { t } = useTranslation()
  const countries = useQuery({
    queryKey: ['countries'],
    queryFn: async () => (await call(readCountries, {})).countries,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Select
      label={t(labels.country)}
      labelProps={requiredLabel}
      required
      withAsterisk={false}
      searchable
      nothingFoundMessage={t('No country of this name')}
      data={(countries.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
      value={value || null}
      error={error}
      onChange={(code) => onChange(code ?? '')}
    />
  )
}

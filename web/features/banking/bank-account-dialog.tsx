import { type BankDetail, bankDetails, bankDetailsAsked } from '@atrium/contract/banking/bank-details.ts'
import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import { bankAccountInputWithin, createBankAccount, updateBankAccount } from '@atrium/contract/banking/calls.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { hasStates } from '@atrium/contract/members/countries.ts'
import { fiatCodes } from '@atrium/contract/money/currencies.ts'
import { countryOfIban, placeConflicts } from '@atrium/contract/validators/bank.ts'
import { Button, Checkbox, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/transport.ts'
import { useCountries } from '../../forms/use-countries.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { CurrencySelect } from '../../ui/fields/currency-select.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './banking.module.css'
import { ChangedElsewhere } from './changed-elsewhere.tsx'
import { CoolingOffHint } from './cooling-off.tsx'
import { type BankAccount, type EditedBankAccount, useEditedBankAccount } from './use-banking.ts'
import { useBeneficiaryForm } from './use-beneficiary-form.ts'

type BankAccountDialogProps = {
  account: BankAccount | 'new' | null
  /** The maximum length of account holder and bank name. */
  nameCharsMax: number
  onClose: () => void
}

export function BankAccountDialog({ account, nameCharsMax, onClose }: BankAccountDialogProps) {
  const { t } = useTranslation()
  const title = account === 'new' ? t('Add Bank Account') : t('Edit Bank Account')
  return (
    <FormDialog title={title} size={720} isOpen={account !== null} onClose={onClose} isFirm>
      {(tools) =>
        account && <LoadedForm account={account === 'new' ? null : account} nameCharsMax={nameCharsMax} tools={tools} />
      }
    </FormDialog>
  )
}

type FormProps = { account: BankAccount | null; nameCharsMax: number; tools: DialogTools }

function LoadedForm(props: FormProps) {
  const { edited, isLoading, error, refetch, readAgain } = useEditedBankAccount(props.account?._id ?? null)
  if (isLoading) return <Skeleton height={420} />
  if (error) return <ErrorState error={error} onRetry={() => refetch()} />
  return (
    <BankAccountForm
      {...props}
      start={edited ? draftOfEdited(edited) : draftOf(props.account)}
      readAgain={async () => {
        const newer = await readAgain()
        return newer && draftOfEdited(newer)
      }}
    />
  )
}

const labels = {
  currency: 'Currency',
  account_holder: 'Account holder',
  iban_number: 'IBAN',
  bank_account: 'Account number',
  swift: 'SWIFT / BIC',
  bank_name: 'Bank name',
  address_line_1: 'Street Address',
  city: 'City',
  state: 'State/Province',
  country: 'Country',
  bank_branch: 'Bank branch',
  routing_number: 'Routing number',
  postcode: 'Bank postcode',
  countries_confirmed: beneficiaryTexts.countriesConfirmed,
}
type Field = keyof typeof labels
type Text = Exclude<Field, 'countries_confirmed'>
type Draft = Record<Text, string> & { countries_confirmed: boolean; seen: string | undefined }

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
  bank_branch: '',
  postcode: '',
  routing_number: '',
  countries_confirmed: false,
  seen: undefined,
})

/** Without a revision the server could not return the optional details, which then stay unchanged. */
const hasDetails = (account: BankAccount | null, { seen }: Pick<Draft, 'seen'>) =>
  account === null || seen !== undefined

const draftOfEdited = (account: EditedBankAccount): Draft => ({
  ...draftOf(account),
  bank_branch: account.bank_branch ?? '',
  postcode: account.postcode ?? '',
  routing_number: account.routing_number ?? '',
  seen: account.revision,
})

type BankAccountFormProps = FormProps & {
  start: Draft
  readAgain: () => Promise<Draft | null>
}

function BankAccountForm({ account, nameCharsMax, tools, start, readAgain }: BankAccountFormProps) {
  const { t } = useTranslation()
  const form = useBeneficiaryForm<Draft, Field>({
    start,
    schema: bankAccountInputWithin(nameCharsMax),
    labels,
    tools,
    isNew: account === null,
    readAgain,
    send({ bank_branch, routing_number, postcode, seen, ...fields }, { key, ...options }) {
      const values = { ...fields, ...(hasDetails(account, { seen }) && { bank_branch, routing_number, postcode }) }
      if (account) return call(updateBankAccount, { ...values, _id: account._id, seen })
      return call(createBankAccount, { ...values, nonce_token: key }, options)
    },
  })
  const { values: draft, errorOf, isDirty, change } = form
  // A confirmation does not apply to changed codes.
  const changeText = (next: Partial<Draft>) => change({ ...next, countries_confirmed: false })
  const fieldOf = (name: Exclude<Text, 'country' | 'currency'>, charsMax?: number, isRequired = true) => ({
    label: t(labels[name]),
    required: isRequired,
    withAsterisk: false,
    ...(isRequired && { labelProps: requiredLabel }),
    value: draft[name],
    charsMax: charsMax,
    autoComplete: 'off',
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => changeText({ [name]: event.currentTarget.value }),
  })
  // Takes the country from the IBAN.
  const changeIban = (iban_number: string) => {
    const country = countryOfIban(iban_number)
    changeText({ iban_number, bank_account: draft.bank_account, ...(country && { country }) })
  }
  return (
    <form ref={form.element} data-stack="lg" onSubmit={form.onSubmit} noValidate>
      <UnsentInput form={`bank account ${account?._id ?? ''}`} values={draft} isDirty={isDirty} onRestore={change} />
      <div data-columns="fields">
        <TextInput data-autofocus {...fieldOf('bank_name', nameCharsMax)} />
        <CurrencySelect
          label={t(labels.currency)}
          codes={fiatCodes}
          value={draft.currency}
          error={errorOf('currency')}
          onChange={(currency) => change({ currency })}
        />
        <TextInput {...fieldOf('account_holder', nameCharsMax)} />
        <TextInput {...fieldOf('swift')} />
        <TextInput
          {...fieldOf('iban_number', undefined, draft.bank_account.trim() === '')}
          description={t('Either the IBAN or the account number is needed.')}
          onChange={(event) => changeIban(event.currentTarget.value)}
        />
        <TextInput
          {...fieldOf('bank_account', beneficiaryLimits.bankAccountCharsMax, draft.iban_number.trim() === '')}
          description={t('For banks in countries without IBAN.')}
          onChange={(event) => change({ bank_account: event.currentTarget.value, iban_number: draft.iban_number })}
        />
        <TextInput {...fieldOf('address_line_1', limits.addressLineCharsMax)} />
        <TextInput {...fieldOf('city', limits.placeCharsMax)} />
        <TextInput {...fieldOf('state', limits.placeCharsMax, hasStates(draft.country))} />
        <CountrySelect
          value={draft.country}
          error={errorOf('country')}
          onChange={(country) => changeText({ country })}
        />
        {hasDetails(account, draft) && <BankDetailFields draft={draft} fieldOf={fieldOf} />}
      </div>
      <CountriesConfirmed draft={draft} onChange={change} />
      <CoolingOffHint isNew={account === null} />
      {form.isOvertaken && <ChangedElsewhere />}
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <div className={parts.buttons} data-group="none" data-nowrap data-justify="end">
        <Button type="submit" loading={form.isSubmitting}>
          {t('Save bank account')}
        </Button>
      </div>
    </form>
  )
}

type BankDetailFieldsProps = {
  draft: Draft
  fieldOf: (name: BankDetail, charsMax: number, isRequired: boolean) => object
}

const detailChars: Record<BankDetail, number> = {
  bank_branch: limits.placeCharsMax,
  routing_number: beneficiaryLimits.bankAccountCharsMax,
  postcode: limits.postcodeCharsMax,
}

/** Shows the details that payouts to the bank's country need and those already filled; the others on demand. */
function BankDetailFields({ draft, fieldOf }: BankDetailFieldsProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const asked = bankDetailsAsked(draft)
  const shown = bankDetails.filter((name) => isOpen || asked.includes(name) || draft[name] !== '')
  return (
    <>
      {shown.map((name) => (
        <TextInput
          key={name}
          {...fieldOf(name, detailChars[name], asked.includes(name))}
          {...(name === 'routing_number' && { description: t('IFSC, ABA, BSB, transit number or sort code.') })}
        />
      ))}
      {shown.length < bankDetails.length && (
        <Button variant="subtle" className={parts.more} onClick={() => setOpen(true)}>
          {shown.length === 0 ? t('Add branch, routing number or postcode') : t('More about the bank')}
        </Button>
      )}
    </>
  )
}

type CountriesConfirmedProps = { draft: Draft; onChange: (change: Partial<Draft>) => void }

/** Shown only when the countries conflict. Ticking it clears the errors of both fields. */
function CountriesConfirmed({ draft, onChange }: CountriesConfirmedProps) {
  const { t } = useTranslation()
  const { iban_number: iban, swift, country, countries_confirmed } = draft
  if (placeConflicts({ iban, bic: swift, country }).length === 0) return null
  return (
    <Checkbox
      label={t(beneficiaryTexts.countriesConfirmed)}
      checked={countries_confirmed}
      onChange={(event) => onChange({ countries_confirmed: event.currentTarget.checked, swift, country })}
    />
  )
}

type CountrySelectProps = { value: string; error: string | undefined; onChange: (code: string) => void }

function CountrySelect({ value, error, onChange }: CountrySelectProps) {
  const { t } = useTranslation()
  const countries = useCountries(error)
  return (
    <Select
      label={t(labels.country)}
      labelProps={requiredLabel}
      required
      withAsterisk={false}
      searchable
      {...countries}
      value={value || null}
      onChange={(code) => onChange(code ?? '')}
    />
  )
}

import { fiatCodes } from '@atrium/contract/currencies.ts'
import { destinationLimits } from '@atrium/contract/destination-limits.ts'
import { destinationTexts } from '@atrium/contract/destination-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { placeConflicts } from '@atrium/contract/validators/bank.ts'
import { Button, Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CurrencySelect } from '../../ui/currency-select.tsx'
import { type DialogTools, FormDialog } from '../../ui/form-dialog.tsx'
import { requiredLabel } from '../../ui/required-label.ts'
import { Textarea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import parts from './settings.module.css'
import { type CompanyBank, type CompanyBankField, useCompanyBankForm } from './use-company-banks.ts'

type CompanyBankDialogProps = { bank: CompanyBank | 'new' | null; onClose: () => void }

export function CompanyBankDialog({ bank, onClose }: CompanyBankDialogProps) {
  const { t } = useTranslation()
  const title = bank === 'new' ? t('Add a company bank account') : t('Change company bank account')
  return (
    <FormDialog title={title} size={640} isOpen={bank !== null} onClose={onClose}>
      {(tools) => bank && <CompanyBankForm bank={bank === 'new' ? null : bank} tools={tools} />}
    </FormDialog>
  )
}

type FormProps = { bank: CompanyBank | null; tools: DialogTools }
type TextField = Exclude<CompanyBankField, 'currency'>

function CompanyBankForm({ bank, tools }: FormProps) {
  const { t } = useTranslation()
  const { draft, problemOf, isSaving, isConfirmed, confirm, submit, change } = useCompanyBankForm(bank, tools)
  const fieldOf = (name: TextField, label: string, charsMax?: number, isRequired = false) => ({
    label,
    value: draft[name],
    charsMax: charsMax,
    error: problemOf(name),
    autoComplete: 'off',
    ...(isRequired && { required: true, withAsterisk: false, labelProps: requiredLabel }),
    onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
  })
  const { bankAccountCharsMax, companyBankFieldCharsMax } = destinationLimits
  return (
    <form
      className={parts.dialog}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <CurrencySelect
        label={t('Currency')}
        codes={fiatCodes}
        value={draft.currency}
        error={problemOf('currency')}
        onChange={(currency) => change('currency', currency)}
      />
      <TextInput data-autofocus {...fieldOf('bank_name', t('Bank Name'), companyBankFieldCharsMax, true)} />
      <TextInput {...fieldOf('account_holder', t('Beneficiary Name'), companyBankFieldCharsMax, true)} />
      <TextInput {...fieldOf('iban_number', t('IBAN'), undefined, draft.bank_account.trim() === '')} />
      <TextInput
        {...fieldOf('bank_account', t('Account'), bankAccountCharsMax, draft.iban_number.trim() === '')}
        description={t('Either the IBAN or the account number is needed.')}
      />
      <TextInput {...fieldOf('swift', t('Swift Code'))} />
      <TextInput {...fieldOf('sort_code', t('Sort Code'), bankAccountCharsMax)} />
      <TextInput {...fieldOf('identifier', t('Identifier'), companyBankFieldCharsMax)} />
      <TextInput {...fieldOf('address_line_1', t('Address'), limits.addressLineCharsMax)} />
      <Textarea
        {...fieldOf('notes', t('Notes'), destinationLimits.companyBankNotesCharsMax)}
        autosize
        minRows={2}
        maxRows={6}
      />
      {placeConflicts({ iban: draft.iban_number, bic: draft.swift }).length > 0 && (
        <Checkbox
          label={t(destinationTexts.countriesConfirmed)}
          checked={isConfirmed}
          onChange={(event) => confirm(event.currentTarget.checked)}
        />
      )}
      <div className={parts.buttons}>
        <Button type="submit" loading={isSaving}>
          {t('Save')}
        </Button>
        <Button variant="subtle" disabled={isSaving} onClick={tools.onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  )
}

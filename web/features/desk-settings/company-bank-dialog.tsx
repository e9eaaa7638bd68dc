import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { fiatCodes } from '@atrium/contract/money/currencies.ts'
import { placeConflicts } from '@atrium/contract/validators/bank.ts'
import { Checkbox } from '@mantine/core'
import { CurrencySelect } from '../../ui/fields/currency-select.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type CompanyBank, type CompanyBankField, companyBankLabels, useCompanyBankForm } from './use-company-banks.ts'

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
  const form = useCompanyBankForm(bank, tools)
  const { values: draft } = form
  const fieldOf = (name: TextField, charsMax?: number, isRequired = false) => ({
    label: t(companyBankLabels[name]),
    value: draft[name],
    charsMax: charsMax,
    error: form.errorOf(name),
    autoComplete: 'off',
    ...(isRequired && { required: true, withAsterisk: false, labelProps: requiredLabel }),
    onChange: (event: { currentTarget: { value: string } }) => form.change({ [name]: event.currentTarget.value }),
  })
  const { bankAccountCharsMax, companyBankFieldCharsMax } = beneficiaryLimits
  return (
    <DialogForm form={form} submit={t('Save')} onCancel={tools.onCancel}>
      <CurrencySelect
        label={t(companyBankLabels.currency)}
        codes={fiatCodes}
        value={draft.currency}
        error={form.errorOf('currency')}
        onChange={(currency) => form.change({ currency })}
      />
      <TextInput data-autofocus {...fieldOf('bank_name', companyBankFieldCharsMax, true)} />
      <TextInput {...fieldOf('account_holder', companyBankFieldCharsMax, true)} />
      <TextInput {...fieldOf('iban_number', undefined, draft.bank_account.trim() === '')} />
      <TextInput
        {...fieldOf('bank_account', bankAccountCharsMax, draft.iban_number.trim() === '')}
        description={t('Either the IBAN or the account number is needed.')}
      />
      <TextInput {...fieldOf('swift')} />
      <TextInput {...fieldOf('sort_code', bankAccountCharsMax)} />
      <TextInput {...fieldOf('identifier', companyBankFieldCharsMax)} />
      <TextInput {...fieldOf('address_line_1', limits.addressLineCharsMax)} />
      <Textarea {...fieldOf('notes', beneficiaryLimits.companyBankNotesCharsMax)} autosize minRows={2} maxRows={6} />
      {placeConflicts({ iban: draft.iban_number, bic: draft.swift }).length > 0 && (
        <Checkbox
          label={t(beneficiaryTexts.countriesConfirmed)}
          checked={draft.countries_confirmed}
          onChange={(event) => form.change({ countries_confirmed: event.currentTarget.checked })}
        />
      )}
    </DialogForm>
  )
}

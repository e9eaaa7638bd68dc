import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Select } from '../../../ui/fields/select.tsx'
import { Textarea } from '../../../ui/fields/text-area.tsx'
import { TextInput } from '../../../ui/fields/text-input.tsx'
import { DropZone } from '../../../ui/files/drop-zone.tsx'
import formPage from '../../../ui/forms/form-page.module.css'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import type { CompanyBank, OwnBank } from '../transfer-banks.ts'
import { BeneficiaryChoices, bankLabel } from '../withdrawal/bank-choices.tsx'
import { otherOrigin } from './deposit-draft.ts'
import type { DepositForm as Form } from './use-deposit-form.ts'

type TransferFieldsProps = {
  form: Form
  currency: string | null
  /** The login of the trading account, by which a transfer is recognised. */
  login: string | null
  companyBanks: CompanyBank[]
  ownBanks: OwnBank[]
}

/** Origin and target of a bank transfer, and its receipt. */
export function TransferFields(props: TransferFieldsProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={formPage.step}>
      <legend className={formPage.legend}>{t('Transfer')}</legend>
      <Transfer {...props} />
    </fieldset>
  )
}

function Transfer({ form, currency, login, companyBanks, ownBanks }: TransferFieldsProps) {
  const { t } = useTranslation()
  const { values: draft, errorOf, receipt } = form
  return (
    <>
      <Select
        label={t('Origin account')}
        description={t('The bank account that you pay from.')}
        placeholder={t('Choose a bank account')}
        required
        allowDeselect={false}
        data={[
          ...ownBanks.map((bank) => ({ value: bank._id, label: bankLabel(bank) })),
          { value: otherOrigin, label: t('Another account') },
        ]}
        value={draft.originChoice}
        error={errorOf('originChoice')}
        onChange={(originChoice) => form.change({ originChoice })}
      />
      {draft.originChoice === otherOrigin && (
        <TextInput
          label={t('Account number or IBAN')}
          description={t('With the name of your bank.')}
          required
          charsMax={limits.originCharsMax}
          value={draft.origin}
          error={errorOf('origin')}
          onChange={(event) => form.change({ origin: event.currentTarget.value })}
        />
      )}
      <BeneficiaryChoices
        banks={companyBanks}
        currency={currency}
        reference={login}
        chosen={draft.beneficiaryId}
        error={errorOf('beneficiaryId')}
        onChoose={(beneficiaryId) => form.change({ beneficiaryId })}
      />
      <Textarea
        label={t('Comment')}
        description={t('Note for our team, for example the reference of your transfer.')}
        required
        autosize
        minRows={2}
        charsMax={limits.commentCharsMax}
        value={draft.comment}
        error={errorOf('comment')}
        onChange={(event) => form.change({ comment: event.currentTarget.value })}
      />
      <DropZone
        label={t('Receipt')}
        rules={uploadPurposes.receipt}
        picked={receipt.picked}
        error={form.receiptError}
        isPaused={receipt.isPaused}
        onPick={receipt.pick}
        onRemove={receipt.remove}
        onResume={receipt.isBroken ? receipt.resume : undefined}
      />
    </>
  )
}

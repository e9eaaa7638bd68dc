import { uploadPurposes } from '@atrium/contract/files.ts'
import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money.ts'

import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { DropZone } from '../../ui/drop-zone.tsx'
import formPage from '../../ui/form-page.module.css'
import { readerLanguage } from '../../ui/format.ts'
import { MoneyInput } from '../../ui/money-input.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { AccountSelect, type SelectableAccount } from './account-select.tsx'
import { bankLabel, DestinationChoices } from './bank-choices.tsx'
import { type DepositField, otherOrigin } from './deposit-draft.ts'
import parts from './deposit-form.module.css'
import { isPreset, presetAmounts } from './preset-amounts.ts'
import type { DepositForm as Form } from './use-deposit-form.ts'
import type { CompanyBank, OwnBank } from './use-funding.ts'

type DepositFormProps = {
  form: Form
  accounts: SelectableAccount[]
  currency: string | null
  companyBanks: CompanyBank[]
  ownBanks: OwnBank[]
  method: ReactNode
  onAccount: (id: string) => void
  fieldRef: (field: DepositField) => (element: HTMLElement | null) => void
}

/** Account, method and amount, then the proof: one page with everything in view. */
export function DepositFields(props: DepositFormProps) {
  const { t } = useTranslation()
  const { form, accounts, method, onAccount, fieldRef } = props
  return (
    <div className={formPage.steps}>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Account')}</legend>
        <AccountSelect
          accounts={accounts}
          chosen={form.draft.accountId}
          error={form.errors.account}
          onChoose={onAccount}
          inputRef={fieldRef('account') as Ref<HTMLInputElement>}
        />
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Method')}</legend>
        {method}
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Amount')}</legend>
        <AmountField {...props} />
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Transfer')}</legend>
        <TransferFields {...props} />
      </fieldset>
    </div>
  )
}

function AmountField({ form, currency, fieldRef }: DepositFormProps) {
  const { t } = useTranslation()
  return (
    <div>
      <MoneyInput
        ref={fieldRef('amount') as Ref<HTMLInputElement>}
        label={t('Amount')}
        required
        value={form.draft.amount}
        currency={currency}
        error={form.errors.amount && t(form.errors.amount)}
        says={(money) => t('You pay {{money}}', { money })}
        onChange={(amount) => form.change({ amount })}
      />
      {currency && (
        <div className={parts.chips}>
          {presetAmounts(currency).map((amount) => (
            <button
              key={amount}
              type="button"
              className={parts.chip}
              aria-pressed={isPreset(form.draft.amount, amount, currency)}
              onClick={() => form.change({ amount })}
            >
              {formatAmount(amount, currency, readerLanguage())}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function TransferFields({ form, currency, companyBanks, ownBanks, fieldRef }: DepositFormProps) {
  const { t } = useTranslation()
  const { draft, errors, receipt } = form
  return (
    <>
      <Select
        ref={fieldRef('originChoice') as Ref<HTMLInputElement>}
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
        error={errors.originChoice && t(errors.originChoice)}
        onChange={(originChoice) => form.change({ originChoice })}
      />
      {draft.originChoice === otherOrigin && (
        <TextInput
          ref={fieldRef('origin') as Ref<HTMLInputElement>}
          label={t('Account number or IBAN')}
          description={t('With the name of your bank.')}
          required
          charsMax={limits.originCharsMax}
          value={draft.origin}
          error={errors.origin && t(errors.origin)}
          onChange={(event) => form.change({ origin: event.currentTarget.value })}
        />
      )}
      <DestinationChoices
        banks={companyBanks}
        currency={currency}
        chosen={draft.destinationId}
        error={errors.destination}
        onChoose={(destinationId) => form.change({ destinationId })}
        firstRef={fieldRef('destination')}
      />
      <Textarea
        ref={fieldRef('comment') as Ref<HTMLTextAreaElement>}
        label={t('Comment')}
        description={t('A word for our team, for example the reference of your transfer.')}
        required
        autosize
        minRows={2}
        charsMax={limits.commentCharsMax}
        value={draft.comment}
        error={errors.comment && t(errors.comment)}
        onChange={(event) => form.change({ comment: event.currentTarget.value })}
      />
      <DropZone
        label={t('Receipt')}
        rules={uploadPurposes.receipt}
        picked={receipt.picked}
        error={errors.receipt}
        isResting={receipt.isResting}
        onPick={receipt.pick}
        onRemove={receipt.remove}
        onResume={receipt.isBroken ? receipt.resume : undefined}
      />
    </>
  )
}

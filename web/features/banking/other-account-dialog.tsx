import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import {
  createFundAccount,
  currenciesOf,
  type FundAccountType,
  fundAccountInput,
  fundAccountTypes,
  updateFundAccount,
} from '@atrium/contract/banking/calls.ts'
import { Button, Skeleton } from '@mantine/core'
import { call } from '../../api/transport.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { CurrencySelect } from '../../ui/fields/currency-select.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { Select } from '../../ui/fields/select.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './banking.module.css'
import { ChangedElsewhere } from './changed-elsewhere.tsx'
import { CoolingOffHint } from './cooling-off.tsx'
import { wordOfType } from './other-account-labels.ts'
import { QrField } from './qr-field.tsx'
import { type EditedOtherAccount, type OtherAccount, useEditedOtherAccount } from './use-banking.ts'
import { useBeneficiaryForm } from './use-beneficiary-form.ts'
import { useQrUpload } from './use-qr-upload.ts'

type OtherAccountDialogProps = { account: OtherAccount | 'new' | null; onClose: () => void }

export function OtherAccountDialog({ account, onClose }: OtherAccountDialogProps) {
  const { t } = useTranslation()
  const title = account === 'new' ? t('Add Account') : t('Edit Account')
  return (
    <FormDialog title={title} size={720} isOpen={account !== null} onClose={onClose} isFirm>
      {(tools) => account && <LoadedForm account={account === 'new' ? null : account} tools={tools} />}
    </FormDialog>
  )
}

type FormProps = { account: OtherAccount | null; tools: DialogTools }

function LoadedForm({ account, tools }: FormProps) {
  const { edited, isLoading, error, refetch, readAgain } = useEditedOtherAccount(account?._id ?? null)
  if (isLoading) return <Skeleton height={420} />
  if (error) return <ErrorState error={error} onRetry={() => refetch()} />
  return (
    <OtherAccountForm
      account={edited ?? account}
      tools={tools}
      readAgain={async () => {
        const newer = await readAgain()
        return newer && draftOf(newer)
      }}
    />
  )
}

const labels = {
  type: 'Type',
  name: 'Name',
  provider: 'Provider',
  preferred_currency: 'Preferred currency',
  address_id: 'Address/ID',
  address_tag: 'Tag or memo',
  notes: 'Notes',
  address_qr: 'QR code',
}
type Field = keyof typeof labels
type Text = Exclude<Field, 'type' | 'address_qr'>
type Draft = Record<Text, string> & {
  type: FundAccountType | null
  address_qr: string | null
  picked: File | null
  seen: string | undefined
}

/** Without a revision if a process of the previous version returned it. */
type Account = OtherAccount & Partial<Pick<EditedOtherAccount, 'revision'>>

const draftOf = (account: Account | null): Draft => ({
  type: account ? (account.type as FundAccountType) : null,
  name: account?.name ?? '',
  provider: account?.provider ?? '',
  preferred_currency: account?.preferred_currency ?? '',
  address_id: account?.address_id ?? '',
  address_tag: account?.address_tag ?? '',
  notes: account?.notes ?? '',
  address_qr: account?.address_qr?._id ?? null,
  picked: null,
  seen: account?.revision,
})

function useOtherAccountForm({ account, tools, readAgain }: OtherAccountFormProps) {
  const qr = useQrUpload()
  const form = useBeneficiaryForm<Draft, Field>({
    start: draftOf(account),
    schema: fundAccountInput,
    labels,
    tools,
    isNew: account === null,
    readAgain,
    async send({ picked, type, seen, ...values }, { key, ...options }) {
      const address_qr = picked ? await qr.send(picked) : values.address_qr
      const input = { ...values, type: type ?? 'other', address_qr }
      return account
        ? call(updateFundAccount, { ...input, _id: account._id, seen })
        : call(createFundAccount, { ...input, nonce_token: key }, options)
    },
  })
  return { ...form, qr }
}

type OtherAccountFormProps = { account: Account | null; tools: DialogTools; readAgain: () => Promise<Draft | null> }

function OtherAccountForm(props: OtherAccountFormProps) {
  const { t } = useTranslation()
  const { account } = props
  const form = useOtherAccountForm(props)
  const { values: draft, errorOf, isDirty, change, qr } = form
  const fieldOf = (name: Exclude<Text, 'preferred_currency'>, charsMax: number, isRequired = true) => ({
    label: isRequired ? t(labels[name]) : t('{{field}} (optional)', { field: t(labels[name]) }),
    required: isRequired,
    withAsterisk: false,
    ...(isRequired && { labelProps: requiredLabel }),
    value: draft[name],
    charsMax: charsMax,
    autoComplete: 'off',
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  const savedQr = draft.address_qr === account?.address_qr?._id ? (account?.address_qr ?? null) : null
  return (
    <form ref={form.element} data-stack="lg" onSubmit={form.onSubmit} noValidate>
      <UnsentInput form={`other account ${account?._id ?? ''}`} values={draft} isDirty={isDirty} onRestore={change} />
      <div data-columns="fields">
        <Select
          data-autofocus
          label={t(labels.type)}
          labelProps={requiredLabel}
          required
          withAsterisk={false}
          allowDeselect={false}
          placeholder={t('Choose a type')}
          data={fundAccountTypes.map((type) => ({ value: type, label: t(wordOfType(type)) }))}
          value={draft.type}
          error={errorOf('type')}
          // Coins and currencies share no codes, so a change of type clears the previous choice.
          onChange={(type) => change({ type: type as FundAccountType | null, preferred_currency: '', address_tag: '' })}
        />
        <CurrencySelect
          label={t(labels.preferred_currency)}
          codes={currenciesOf(draft.type ?? 'other')}
          value={draft.preferred_currency}
          error={errorOf('preferred_currency')}
          onChange={(preferred_currency) => change({ preferred_currency })}
        />
        <TextInput {...fieldOf('name', beneficiaryLimits.fundFieldCharsMax)} />
        <TextInput {...fieldOf('provider', beneficiaryLimits.fundFieldCharsMax)} />
      </div>
      <TextInput {...fieldOf('address_id', beneficiaryLimits.fundAddressCharsMax)} />
      {draft.type === 'crypto' && (
        <TextInput
          {...fieldOf('address_tag', beneficiaryLimits.fundTagCharsMax, false)}
          description={t('Enter it if your wallet shows one beside the address: coins sent without it may be lost.')}
        />
      )}
      <Textarea {...fieldOf('notes', beneficiaryLimits.fundNotesCharsMax, false)} autosize minRows={2} maxRows={6} />
      <QrField
        saved={savedQr}
        picked={draft.picked && { file: draft.picked, share: qr.share, isSent: qr.isSent }}
        isPaused={qr.isPaused}
        error={errorOf('address_qr')}
        onPick={(picked) => change({ picked, address_qr: draft.address_qr })}
        onRemove={() => {
          qr.stop()
          change({ picked: null, address_qr: null })
        }}
      />
      <CoolingOffHint isNew={account === null} />
      {form.isOvertaken && <ChangedElsewhere />}
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <div className={parts.buttons} data-group="none" data-nowrap data-justify="end">
        <Button type="submit" loading={form.isSubmitting}>
          {t('Save account')}
        </Button>
      </div>
    </form>
  )
}

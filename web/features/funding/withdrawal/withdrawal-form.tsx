import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { WithdrawalQuote } from '@atrium/contract/withdrawals/calls.ts'
import { Button } from '@mantine/core'
import { Callout } from '../../../ui/feedback/state.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { Textarea } from '../../../ui/fields/text-area.tsx'
import formPage from '../../../ui/forms/form-page.module.css'
import { LinkButton } from '../../../ui/layout/link-button.tsx'
import { MoneyInput } from '../../../ui/money/money-input.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { AccountSelect, type SelectableAccount } from '../account-select.tsx'
import type { WithdrawalForm } from './use-withdrawal-form.ts'
import { useCoins } from './use-withdrawal-quote.ts'
import type { WithdrawalAccount } from './withdrawal-draft.ts'
import parts from './withdrawal-form.module.css'

/** One of the member's beneficiaries. */
export type BeneficiaryChoice = { id: string; label: string }
export type BeneficiaryChoices = Record<string, BeneficiaryChoice[]>

type FieldsProps = {
  form: WithdrawalForm
  accounts: SelectableAccount[]
  account: WithdrawalAccount | null
  /** By the kind of beneficiary. */
  beneficiaries: BeneficiaryChoices
  available: string | null
  /** The providers that can pay out from this account. */
  providers: WithdrawalQuote['providers']
  onAccount: (id: string) => void
}

/** Account, beneficiary, amount: each field depends on the one before. */
export function WithdrawalFields(props: FieldsProps) {
  const { t } = useTranslation()
  const { form, accounts, account, onAccount } = props
  return (
    <div className={formPage.steps}>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Account')}</legend>
        <AccountSelect
          accounts={accounts}
          chosen={account?.id ?? null}
          error={form.errorOf('account')}
          onChoose={onAccount}
        />
        {account?.isLive === false && (
          <Callout meaning="blue">
            {t('Demo Account')}
            {'. '}
            {t('Demo funds are removed shortly after you submit; nothing is paid out.')}
          </Callout>
        )}
      </fieldset>
      {account?.isLive !== false && (
        <fieldset className={formPage.step}>
          <legend className={formPage.legend}>{t('Destination')}</legend>
          <BeneficiaryFields {...props} />
        </fieldset>
      )}
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Amount')}</legend>
        <AmountFields {...props} />
      </fieldset>
    </div>
  )
}

const kinds = [
  { value: 'bank_account', label: 'Bank account' },
  { value: 'other_transfer', label: 'Other transfer' },
  { value: 'crypto_transfer', label: 'Crypto transfer' },
] as const

const missing: Record<string, { text: string; to: string; action: string }> = {
  bank_account: { text: 'You have no bank account yet.', to: '/funds/bank-accounts', action: 'Add Bank Account' },
  other_transfer: { text: 'You have no other account yet.', to: '/funds/other-accounts', action: 'Add Account' },
  crypto_transfer: {
    text: beneficiaryTexts.noCryptoAccounts,
    to: '/funds/other-accounts',
    action: 'Add Account',
  },
}

/** The kind of beneficiary that each kind of provider pays to. */
const kindOfWay = { bank_account: 'bank_account', other: 'other_transfer', crypto: 'crypto_transfer', source: null }

function BeneficiaryFields({ form, beneficiaries, providers }: FieldsProps) {
  const { t } = useTranslation()
  const { values: draft } = form
  const provider = providers.find(({ destination }) => destination === draft.destination)
  const kind = provider ? kindOfWay[provider.to] : draft.destination
  const choices = kind === null ? [] : (beneficiaries[kind] ?? [])
  const none = kind !== null && choices.length === 0 ? missing[kind] : undefined
  const isToSource = (destination: string | null) =>
    providers.some((each) => each.destination === destination && each.to === 'source')
  const isInCoins = (destination: string | null) =>
    destination === 'crypto_transfer' ||
    providers.some((each) => each.destination === destination && each.to === 'crypto')
  return (
    <>
      <Select
        label={t('Destination')}
        placeholder={t('Choose a destination')}
        required
        allowDeselect={false}
        data={[
          ...kinds.map(({ value, label }) => ({ value, label: t(label) })),
          ...providers.map(({ destination, name }) => ({ value: destination, label: name })),
        ]}
        value={draft.destination}
        error={form.errorOf('destination')}
        onChange={(destination) =>
          form.change({ destination, isToSource: isToSource(destination), isInCoins: isInCoins(destination) })
        }
      />
      {provider && (
        <Callout meaning="blue">
          {provider.to === 'source'
            ? t('{{name}} returns it to your original payment method.', provider)
            : t('{{name}} makes the payment to the account that you choose.', provider)}
        </Callout>
      )}
      {draft.isToSource ? null : none ? (
        <Callout meaning="amber">
          <p className={parts.none}>{t(none.text)}</p>
          <LinkButton to={none.to} variant="default" size="xs">
            {t(none.action)}
          </LinkButton>
        </Callout>
      ) : (
        <Select
          label={t('Destination account')}
          placeholder={draft.destination === null ? t('Choose a destination first') : t('Choose an account')}
          required
          allowDeselect={false}
          disabled={draft.destination === null}
          data={choices.map(({ id, label }) => ({ value: id, label }))}
          value={draft.beneficiaryId}
          error={form.errorOf('beneficiaryId')}
          onChange={(beneficiaryId) => form.change({ beneficiaryId })}
        />
      )}
      {draft.isInCoins && <CoinField form={form} />}
    </>
  )
}

function CoinField({ form }: Pick<FieldsProps, 'form'>) {
  const { t } = useTranslation()
  const coins = useCoins(form.values)
  const isEmpty = form.values.beneficiaryId !== null && coins.data?.length === 0
  const pictureOf = new Map(coins.data?.map(({ name, image_url }) => [name, image_url]))
  return (
    <Select
      label={t('Coin')}
      placeholder={isEmpty ? t('No supported coin for this account') : t('Choose a coin')}
      required
      allowDeselect={false}
      data={coins.data?.map(({ name }) => name) ?? []}
      disabled={isEmpty}
      value={form.values.coin}
      error={coins.error && !coins.data ? t(coins.error.message) : form.errorOf('coin')}
      onDropdownOpen={() => {
        if (coins.isError) void coins.refetch()
      }}
      onChange={(coin) => form.change({ coin })}
      renderOption={({ option }) => (
        <span className={parts.coin}>
          <img src={pictureOf.get(option.value)} alt="" width={20} height={20} />
          {option.label}
        </span>
      )}
    />
  )
}

function AmountFields({ form, account, available }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <div>
        <MoneyInput
          label={t('Amount')}
          required
          value={form.values.amount}
          currency={account?.currency ?? null}
          error={form.errorOf('amount')}
          describe={(money) => t('You withdraw {{money}}', { money })}
          onChange={(amount) => form.change({ amount })}
        />
        {available !== null && (
          <Button
            variant="subtle"
            size="xs"
            className={parts.all ?? ''}
            onClick={() => form.change({ amount: available })}
          >
            {t('Withdraw all')}
          </Button>
        )}
      </div>
      <Textarea
        label={t('Comment')}
        required
        autosize
        minRows={2}
        charsMax={limits.commentCharsMax}
        value={form.values.comment}
        error={form.errorOf('comment')}
        onChange={(event) => form.change({ comment: event.currentTarget.value })}
      />
    </>
  )
}

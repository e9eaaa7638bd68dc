import { destinationTexts } from '@atrium/contract/destination-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { Preflight } from '@atrium/contract/withdrawals.ts'
import { Button } from '@mantine/core'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import formPage from '../../ui/form-page.module.css'
import { LinkButton } from '../../ui/link-button.tsx'
import { MoneyInput } from '../../ui/money-input.tsx'
import { Select } from '../../ui/select.tsx'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { AccountSelect, type SelectableAccount } from './account-select.tsx'
import { useCoins } from './use-preflight.ts'
import type { WithdrawalForm } from './use-withdrawal-form.ts'
import type { WithdrawalAccount, WithdrawalField } from './withdrawal-draft.ts'
import parts from './withdrawal-form.module.css'

/** One of the member's own places that money can go to. */
export type DestinationChoice = { id: string; label: string }
export type DestinationChoices = Record<string, DestinationChoice[]>

type FieldsProps = {
  form: WithdrawalForm
  accounts: SelectableAccount[]
  account: WithdrawalAccount | null
  /** By the kind of destination. */
  destinations: DestinationChoices
  available: string | null
  /** Who of the payment providers can pay this account out. */
  providers: Preflight['providers']
  onAccount: (id: string) => void
  fieldRef: (field: WithdrawalField) => (element: HTMLElement | null) => void
}

/** From where, to where, how much: the order in which each question depends on the one before. */
export function WithdrawalFields(props: FieldsProps) {
  const { t } = useTranslation()
  const { form, accounts, account, onAccount, fieldRef } = props
  return (
    <div className={formPage.steps}>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Account')}</legend>
        <AccountSelect
          accounts={accounts}
          chosen={account?.id ?? null}
          error={form.errors.account}
          onChoose={onAccount}
          inputRef={fieldRef('account') as Ref<HTMLInputElement>}
        />
        {account?.isLive === false && (
          <Callout meaning="blue">
            {t('Demo Account')}
            {'. '}
            {t('Demo funds leave the account at once and are paid to nobody.')}
          </Callout>
        )}
      </fieldset>
      {account?.isLive !== false && (
        <fieldset className={formPage.step}>
          <legend className={formPage.legend}>{t('Destination')}</legend>
          <DestinationFields {...props} />
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
    text: destinationTexts.noCryptoAccounts,
    to: '/funds/other-accounts',
    action: 'Add Account',
  },
}

/** The member's saved places that a provider pays to. */
const kindOfWay = { bank_account: 'bank_account', other: 'other_transfer', crypto: 'crypto_transfer', source: null }

function DestinationFields({ form, destinations, providers, fieldRef }: FieldsProps) {
  const { t } = useTranslation()
  const { draft, errors } = form
  const provider = providers.find(({ destination }) => destination === draft.destination)
  const kind = provider ? kindOfWay[provider.to] : draft.destination
  const choices = kind === null ? [] : (destinations[kind] ?? [])
  const none = kind !== null && choices.length === 0 ? missing[kind] : undefined
  const isToSource = (destination: string | null) =>
    providers.some((each) => each.destination === destination && each.to === 'source')
  const isInCoins = (destination: string | null) =>
    destination === 'crypto_transfer' ||
    providers.some((each) => each.destination === destination && each.to === 'crypto')
  return (
    <>
      <Select
        ref={fieldRef('destination') as Ref<HTMLInputElement>}
        label={t('Destination')}
        placeholder={t('Choose where the money goes')}
        required
        allowDeselect={false}
        data={[
          ...kinds.map(({ value, label }) => ({ value, label: t(label) })),
          ...providers.map(({ destination, name }) => ({ value: destination, label: name })),
        ]}
        value={draft.destination}
        error={errors.destination && t(errors.destination)}
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
          ref={fieldRef('destinationId') as Ref<HTMLInputElement>}
          label={t('Destination account')}
          placeholder={draft.destination === null ? t('Choose a destination first') : t('Choose an account')}
          required
          allowDeselect={false}
          disabled={draft.destination === null}
          data={choices.map(({ id, label }) => ({ value: id, label }))}
          value={draft.destinationId}
          error={errors.destinationId && t(errors.destinationId)}
          onChange={(destinationId) => form.change({ destinationId })}
        />
      )}
      {draft.isInCoins && <CoinField form={form} fieldRef={fieldRef} />}
    </>
  )
}

function CoinField({ form, fieldRef }: Pick<FieldsProps, 'form' | 'fieldRef'>) {
  const { t } = useTranslation()
  const coins = useCoins(form.draft)
  const isEmpty = form.draft.destinationId !== null && coins.data?.length === 0
  const pictureOf = new Map(coins.data?.map(({ name, image_url }) => [name, image_url]))
  return (
    <Select
      ref={fieldRef('coin') as Ref<HTMLInputElement>}
      label={t('Coin')}
      placeholder={isEmpty ? t('This provider sends no coin that this account takes') : t('Choose a coin')}
      required
      allowDeselect={false}
      data={coins.data?.map(({ name }) => name) ?? []}
      disabled={isEmpty}
      value={form.draft.coin}
      error={form.errors.coin && t(form.errors.coin)}
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

function AmountFields({ form, account, available, fieldRef }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <div>
        <MoneyInput
          ref={fieldRef('amount') as Ref<HTMLInputElement>}
          label={t('Amount')}
          required
          value={form.draft.amount}
          currency={account?.currency ?? null}
          error={form.errors.amount && t(form.errors.amount)}
          says={(money) => t('You withdraw {{money}}', { money })}
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
        ref={fieldRef('comment') as Ref<HTMLTextAreaElement>}
        label={t('Comment')}
        required
        autosize
        minRows={2}
        charsMax={limits.commentCharsMax}
        value={form.draft.comment}
        error={form.errors.comment && t(form.errors.comment)}
        onChange={(event) => form.change({ comment: event.currentTarget.value })}
      />
    </>
  )
}

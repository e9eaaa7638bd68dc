import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorLines } from '../api/error-lines.ts'
import { type Account, useAccounts } from '../features/accounts/use-accounts.ts'
import { DepositCreatedDialog } from '../features/funding/deposit-created-dialog.tsx'
import type { DepositField } from '../features/funding/deposit-draft.ts'
import { DepositFields } from '../features/funding/deposit-form.tsx'
import { DepositSummary } from '../features/funding/deposit-summary.tsx'
import { MethodChoices, manualMethod } from '../features/funding/method-choices.tsx'
import { Refusal } from '../features/funding/refusal.tsx'
import { useDepositForm } from '../features/funding/use-deposit-form.ts'
import { useTransferBanks } from '../features/funding/use-funding.ts'
import { offerIn, useWaysToPay } from '../features/funding/use-ways-to-pay.ts'
import { useIsOpen } from '../features/session/session.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { FormBones } from '../ui/form-bones.tsx'
import formPage from '../ui/form-page.module.css'
import { LinkButton } from '../ui/link-button.tsx'
import { notice } from '../ui/notice.ts'
import { Card, Page } from '../ui/page.tsx'
import { Callout, EmptyState } from '../ui/state.tsx'
import { useUnsavedGuard } from '../ui/use-unsaved-guard.ts'
import { useWrongFields } from '../ui/use-wrong-fields.ts'
import { PaymentDeposit } from './payment-deposit.tsx'
import { selectable } from './selectable-account.ts'

export function DepositPage() {
  const { t } = useTranslation()
  const { accounts, error, retry } = useAccounts()
  const banks = useTransferBanks()
  const ways = useWaysToPay()
  const failure = (accounts ? null : error) ?? [banks, ways].find(({ data }) => !data)?.error ?? null
  const again = () => {
    retry()
    banks.refetch()
    ways.refetch()
  }
  const usable = accounts?.filter(({ deleted, archived }) => !deleted && !archived)
  return (
    <Page
      title={t('Deposit')}
      help={t('Pay through a provider, or transfer the money from your bank and send us the receipt.')}
    >
      {failure ? (
        <Card>
          <ErrorState error={failure} onRetry={again} holds={t('Your money has not moved.')} />
        </Card>
      ) : !usable || !banks.data || !ways.data ? (
        <FormBones label={t('Loading')} />
      ) : usable.length === 0 ? (
        <Card>
          <EmptyState
            drawing="accounts"
            title={t(texts.noAccounts)}
            action={<LinkButton to="/accounts/open-live-account">{t('Open Live Account')}</LinkButton>}
          />
        </Card>
      ) : (
        <Deposit accounts={usable} banks={banks.data} ways={ways.data} />
      )}
    </Page>
  )
}

const fieldLabels: Record<DepositField, string> = {
  account: 'Trading account',
  amount: 'Amount',
  originChoice: 'Origin account',
  origin: 'Account number or IBAN',
  destination: 'Destination account',
  comment: 'Comment',
  receipt: 'Receipt',
}

type Banks = NonNullable<ReturnType<typeof useTransferBanks>['data']>
type DepositProps = {
  accounts: Account[]
  banks: Banks
  ways: NonNullable<ReturnType<typeof useWaysToPay>['data']>
}

/** Which way to pay decides what is asked for; a way that does not take the account's currency is not offered. */
function Deposit({ accounts, banks, ways }: DepositProps) {
  const { accountId } = useParams({ strict: false }) as { accountId?: string }
  const [chosen, choose] = useState<string | null>(null)
  const account = accounts.find(({ _id, live_account }) => _id === accountId && live_account)
  const currency = account?.currency ?? null
  const fitting = ways.available_psps.filter((each) => currency === null || offerIn(each, currency))
  const provider = fitting.find(({ app_uid }) => app_uid === chosen)
  const method = (
    <MethodChoices
      providers={fitting}
      currency={currency}
      chosen={provider?.app_uid ?? manualMethod}
      onChoose={choose}
    />
  )
  if (!provider || !ways.current_member) return <ManualDeposit accounts={accounts} banks={banks} method={method} />
  return <PaymentDeposit accounts={accounts} provider={provider} profile={ways.current_member} method={method} />
}

type ManualDepositProps = { accounts: Account[]; banks: Banks; method: ReactNode }

function ManualDeposit({ accounts, banks, method }: ManualDepositProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOpen = useIsOpen()
  const { accountId } = useParams({ strict: false }) as { accountId?: string }
  const account = accounts.find(({ _id, live_account }) => _id === accountId && live_account) ?? null
  const fields = useRef(new Map<DepositField, HTMLElement>())
  const { tell } = useWrongFields()
  const form = useDepositForm({
    accountId: account?._id ?? null,
    currency: account?.currency ?? null,
    onWrong: (wrong) => {
      tell(wrong.map((field) => t(fieldLabels[field])))
      fields.current.get(wrong[0] ?? 'account')?.focus()
    },
    onRefused: (refused) => {
      for (const line of errorLines(refused, t)) notice.warning(line, limits.toastShortMs)
    },
  })
  useUnsavedGuard({ isDirty: form.isDirty, staysAt: (path) => /^\/funds\/deposit(\/|$)/.test(path) })

  const chooseAccount = (id: string) => {
    const next = accounts.find(({ _id }) => _id === id)
    form.clearError('account')
    // Where to pay depends on the account, so a destination chosen for another one does not stay.
    form.change({ destinationId: null })
    navigate({
      to: next?.live_account === false ? '/funds/deposit-demo/{-$accountId}' : '/funds/deposit/{-$accountId}',
      params: { accountId: id } as never,
      replace: true,
      resetScroll: false,
    })
  }
  const finish = () => navigate({ to: isOpen('transactions') ? '/funds/transactions' : '/home', replace: true })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }

  return (
    <form className={formPage.layout} onSubmit={submit} noValidate aria-label={t('Deposit')}>
      <div className={formPage.steps}>
        {accountId !== undefined && account === null && <Callout meaning="amber">{t(texts.accountUnknown)}</Callout>}
        <DepositFields
          form={form}
          accounts={accounts.map((one) => selectable(one, t))}
          method={method}
          currency={account?.currency ?? null}
          companyBanks={banks.system_bank_accounts}
          ownBanks={banks.bank_accounts}
          onAccount={chooseAccount}
          fieldRef={(field) => (element) => {
            if (element) fields.current.set(field, element)
            else fields.current.delete(field)
          }}
        />
      </div>
      <DepositSummary
        amount={form.draft.amount}
        currency={account?.currency ?? null}
        account={account && `#${account.platform_login}`}
        isSubmitting={form.isSubmitting}
        isWaitingForReceipt={form.receipt.isSending}
        refusal={<Refusal messages={form.refusal} isUnknown={form.isUnknown} />}
      />
      <DepositCreatedDialog ticket={form.created?.ticket} onClose={finish} />
    </form>
  )
}

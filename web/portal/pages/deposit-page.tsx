import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useDeferredValue, useState } from 'react'
import { notSent } from '../../api/api-error.ts'
import { movesMoney } from '../../features/accounts/account-labels.ts'
import { type Account, useAccounts } from '../../features/accounts/use-accounts.ts'
import { CoinInstructionsDialog } from '../../features/funding/deposit/coin-instructions.tsx'
import { DepositCreatedDialog } from '../../features/funding/deposit/deposit-created-dialog.tsx'
import { TransferFields } from '../../features/funding/deposit/deposit-form.tsx'
import { DepositHead } from '../../features/funding/deposit/deposit-head.tsx'
import { DepositSummary } from '../../features/funding/deposit/deposit-summary.tsx'
import { useDepositForm } from '../../features/funding/deposit/use-deposit-form.ts'
import { useDepositWays } from '../../features/funding/deposit/use-deposit-ways.ts'
import { offerIn, type PayerProfile, useWaysToPay } from '../../features/funding/deposit/use-ways-to-pay.ts'
import { lastMethod, manualMethod, orderMethods } from '../../features/funding/deposit/ways-to-pay.ts'
import { MethodChoices } from '../../features/funding/method-choices.tsx'
import { PaymentSummary } from '../../features/funding/payment-summary.tsx'
import { useTransferBanks } from '../../features/funding/transfer-banks.ts'
import { useTransactions } from '../../features/funding/use-funding.ts'
import { usePaymentForm } from '../../features/funding/use-payment-form.ts'
import { usePaymentPart } from '../../features/funding/use-payment-part.ts'
import { useIsOpen } from '../../features/session/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import formPage from '../../ui/forms/form-page.module.css'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useInSlices } from '../../ui/lazy/use-in-slices.ts'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { headings } from '../headings.ts'
import { NoLiveAccount } from '../no-live-account.tsx'
import { latestTransactions } from '../prefetch.ts'
import { selectable } from '../selectable-account.ts'
import { useHasPendingDeposits } from '../use-has-pending-deposits.ts'

export function DepositPage() {
  const { t } = useTranslation()
  const { accounts, error, retry } = useAccounts()
  const banks = useTransferBanks()
  const ways = useWaysToPay()
  const last = useLastMethod()
  const failure = (accounts ? null : error) ?? [banks, ways].find(({ data }) => !data)?.error ?? null
  const again = () => {
    retry()
    banks.refetch()
    ways.refetch()
  }
  const usable = accounts?.filter(movesMoney)
  const ready = useInSlices(
    usable && banks.data && ways.data && last !== undefined
      ? { accounts: usable, banks: banks.data, ways: ways.data, last }
      : undefined,
  )
  return (
    <Page title={t(headings.deposit.title)} help={t(headings.deposit.help)}>
      {failure ? (
        <Card>
          <ErrorState error={failure} onRetry={again} />
        </Card>
      ) : !ready ? (
        <FormSkeleton label={t('Loading')} />
      ) : !ready.accounts.some(({ live_account }) => live_account) ? (
        <NoLiveAccount
          hasDemo={ready.accounts.length > 0}
          hasClosed={accounts?.some(({ live_account }) => live_account) ?? false}
        />
      ) : (
        <Deposit {...ready} />
      )}
    </Page>
  )
}

/** Undefined while loading; null when the list is closed or fails to load. */
function useLastMethod(): string | null | undefined {
  const isOff = !useIsOpen()('transactions')
  const { data, isError } = useTransactions(latestTransactions, { isOff })
  if (isOff || isError) return null
  return data && lastMethod(data.rows)
}

type Banks = NonNullable<ReturnType<typeof useTransferBanks>['data']>
type DepositProps = {
  accounts: Account[]
  banks: Banks
  ways: NonNullable<ReturnType<typeof useWaysToPay>['data']>
  last: string | null
}

/** The account in the address, or the only one. */
function useChosenAccount(accounts: Account[]) {
  const { accountId } = useParams({ strict: false }) as { accountId?: string }
  const live = accounts.filter(({ live_account }) => live_account)
  const chosen = accountId === undefined && live.length === 1 ? live[0] : live.find(({ _id }) => _id === accountId)
  return { account: chosen ?? null, isUnknown: accountId !== undefined && !chosen }
}

/** Values from the address, such as those of a payment to retry. */
function useGiven(): { method: string | null; amount: string } {
  const { method, amount } = useSearch({ strict: false }) as Record<string, unknown>
  // A search parameter that looks like a number is parsed as one.
  const text = typeof amount === 'number' ? String(amount) : amount
  return {
    method: typeof method === 'string' ? method : null,
    amount: typeof text === 'string' && /^\d{1,15}(\.\d{1,8})?$/.test(text) ? text : '',
  }
}

const nobody: PayerProfile = { phones: [], emails: [], addresses: [] }

/** The account, its payment methods, and the forms of a transfer and of a payment, which share the amount. */
function useDeposit({ accounts, ways, last }: DepositProps) {
  const { account, isUnknown } = useChosenAccount(accounts)
  const given = useGiven()
  const [chosen, choose] = useState(given.method)
  const accountId = account?._id ?? null
  const currency = account?.currency ?? null
  const manual = useDepositForm({ accountId, currency, amount: given.amount })

  const fitting = ways.current_member
    ? ways.available_psps.filter((each) => currency === null || offerIn(each, currency))
    : []
  const methods = orderMethods(fitting, last)
  // The methods depend on the account; a transfer whose details are already begun stays selected.
  const usual = account === null || manual.isBegun ? manualMethod : (methods[0] ?? manualMethod)
  const method = chosen !== null && methods.includes(chosen) ? chosen : usual
  const provider = fitting.find(({ app_uid }) => app_uid === method)
  const offer = offerIn(provider, currency)
  const { ways: payWays, note } = useDepositWays(method, currency)
  const part = usePaymentPart({ isAsked: provider !== undefined })
  const payment = usePaymentForm({
    ...{ accountId, method, offer, ways: payWays, amount: given.amount },
    takesCoins: provider?.takes_coins ?? false,
    profile: ways.current_member ?? nobody,
    rules: part.data?.rules,
  })
  return {
    ...{ account, accountId, currency, isUnknown, manual, payment, fitting, methods, method, provider, offer },
    ...{ payWays, note, chosen, choose, part },
  }
}

/** One form: account, amount and method, then the method's own fields. Input is preserved when the method changes. */
function Deposit(props: DepositProps) {
  const { accounts, banks, last } = props
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOpen = useIsOpen()
  const isListed = useHasPendingDeposits()
  const at = useDeposit(props)
  const { account, accountId, currency, manual, payment, methods, method, provider, offer, note } = at
  const form = provider ? payment : manual
  // Deferred, so that the fields that come first render first.
  const isWhole = useDeferredValue(true, false)
  useUnsavedGuard({ isDirty: form.isDirty, staysAt: (path) => /^\/funds\/deposit(\/|$)/.test(path) })

  const chooseAccount = (id: string) => {
    const next = accounts.find(({ _id }) => _id === id)
    manual.clearErrors('account')
    payment.clearErrors('account')
    // The company's bank accounts depend on the trading account, so the choice is cleared.
    manual.change({ beneficiaryId: null })
    navigate({
      to: next?.live_account === false ? '/funds/deposit-demo/{-$accountId}' : '/funds/deposit/{-$accountId}',
      params: { accountId: id } as never,
      replace: true,
      resetScroll: false,
    })
  }
  /** Opens the status page of the payment. */
  const watch = () => {
    if (isListed) navigate({ to: '/funds/transactions', search: { view: 'pending' } as never, replace: true })
    else {
      const params = { order: payment.started?.order } as never
      navigate({ to: '/deposit-processing/{-$order}', params, replace: true })
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }

  return (
    <form ref={form.element} className={formPage.layout} onSubmit={submit} noValidate aria-label={t('Deposit')}>
      <div className={formPage.steps}>
        <UnsentInput
          form="deposit"
          values={{ manual: manual.values, payment: payment.values, chosen: at.chosen }}
          isDirty={form.isDirty}
          mayBeDone={form.mayBeDone}
          onRestore={(restored) => {
            manual.restore(restored.manual)
            payment.restore(restored.payment)
            at.choose(restored.chosen)
          }}
        />
        {at.isUnknown && <Callout meaning="amber">{t(texts.accountUnknown)}</Callout>}
        <DepositHead
          accounts={accounts.map((one) => selectable(one, t))}
          {...{ accountId, currency, offer, note }}
          amount={form.values.amount}
          errorOf={form.errorOf}
          methodError={provider && payment.errorOf('method')}
          onAccount={chooseAccount}
          onAmount={(amount) => {
            manual.change({ amount })
            payment.change({ amount })
          }}
          method={
            <MethodChoices
              {...{ methods, currency, last }}
              providers={at.fitting}
              amount={form.values.amount}
              chosen={method}
              onChoose={at.choose}
            />
          }
        />
        {isWhole && provider ? (
          <ProviderFields at={at} coinsOf={provider.takes_coins ? provider.app_uid : null} />
        ) : (
          isWhole && (
            <TransferFields
              {...{ form: manual, currency }}
              login={account?.platform_login ?? null}
              companyBanks={banks.system_bank_accounts}
              ownBanks={banks.bank_accounts}
            />
          )
        )}
      </div>
      {isWhole && <Summary at={at} />}
      <DepositCreatedDialog
        ticket={manual.answer?.transaction.ticket}
        onClose={() => navigate({ to: isOpen('transactions') ? '/funds/transactions' : '/home', replace: true })}
      />
      <CoinInstructionsDialog coins={payment.started?.coins} onClose={watch} />
    </form>
  )
}

type Fields = { at: ReturnType<typeof useDeposit>; coinsOf: string | null }

function ProviderFields({ at: { part, payment, payWays }, coinsOf }: Fields) {
  if (part.data) return <part.data.PaymentFields form={payment} ways={payWays} coinsOf={coinsOf} />
  const failure = part.isPaused ? notSent(texts.offline) : part.error
  if (!failure) return <Skeleton height={320} radius={12} />
  return (
    <Card>
      <ErrorState error={failure} onRetry={() => part.refetch()} />
    </Card>
  )
}

function Summary({ at }: { at: ReturnType<typeof useDeposit> }) {
  const { t } = useTranslation()
  const { account, currency, manual, payment, provider, offer } = at
  const shown = {
    amount: (provider ? payment : manual).values.amount,
    account: account && `#${account.platform_login}`,
  }
  if (!provider)
    return (
      <DepositSummary
        {...shown}
        currency={currency}
        isSubmitting={manual.isSubmitting}
        isWaitingForReceipt={manual.receipt.isSending}
        refusal={<Refusal messages={manual.refusal} isUnknown={manual.isUnknown} />}
      />
    )
  return (
    <PaymentSummary
      {...shown}
      offer={offer}
      provider={provider.name}
      takesCoins={provider.takes_coins}
      isSubmitting={payment.isSubmitting || at.part.isLoading}
      refusal={
        payment.isRedirected ? (
          <Callout meaning="blue">
            {t('Redirecting to {{provider}}. If the page does not open, press the button again.', {
              provider: provider.name,
            })}
          </Callout>
        ) : (
          <Refusal messages={payment.refusal} isUnknown={payment.isUnknown} />
        )
      }
    />
  )
}

import { texts } from '@atrium/contract/texts.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { movesMoney } from '../../features/accounts/account-labels.ts'
import { type Account, useAccounts } from '../../features/accounts/use-accounts.ts'
import { DepositCreatedDialog } from '../../features/funding/deposit/deposit-created-dialog.tsx'
import { IdentityNotice, identityCode } from '../../features/funding/identity-notice.tsx'
import { useBeneficiaries } from '../../features/funding/withdrawal/use-beneficiaries.ts'
import { useWithdrawalForm } from '../../features/funding/withdrawal/use-withdrawal-form.ts'
import { useWithdrawalQuote } from '../../features/funding/withdrawal/use-withdrawal-quote.ts'
import { type BeneficiaryChoices, WithdrawalFields } from '../../features/funding/withdrawal/withdrawal-form.tsx'
import { WithdrawalSummary } from '../../features/funding/withdrawal/withdrawal-summary.tsx'
import { useIsOpen } from '../../features/session/session.ts'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import formPage from '../../ui/forms/form-page.module.css'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { headings } from '../headings.ts'
import { selectable } from '../selectable-account.ts'

export function WithdrawPage() {
  const { t } = useTranslation()
  const mayOpen = useMayOpen()
  const { accounts, error, retry } = useAccounts()
  const beneficiaries = useBeneficiaries()
  const failure = (accounts ? null : error) ?? (beneficiaries.data ? null : beneficiaries.error)
  const again = () => {
    retry()
    beneficiaries.refetch()
  }
  const usable = accounts?.filter(movesMoney)
  return (
    <Page title={t(headings.withdraw.title)} help={t(headings.withdraw.help)}>
      {failure ? (
        <Card>
          <ErrorState error={failure} onRetry={again} />
        </Card>
      ) : !usable || !beneficiaries.data ? (
        <FormSkeleton label={t('Loading')} />
      ) : usable.length === 0 ? (
        <Card>
          <EmptyState
            drawing="accounts"
            title={
              accounts?.length === 0
                ? t(texts.noAccounts)
                : t('Withdrawals from your accounts are closed. Please contact support.')
            }
            action={
              mayOpen('live') && <LinkButton to="/accounts/open-live-account">{t('Open Live Account')}</LinkButton>
            }
          />
        </Card>
      ) : (
        <Withdrawal accounts={usable} beneficiaries={beneficiaries.data} />
      )}
    </Page>
  )
}

const liveNext = 'Your withdrawal number is {{ticket}}. The amount is reserved; we will review it and then pay it out.'
const demoNext = 'Your withdrawal number is {{ticket}}. The demo funds will be removed shortly.'

function Withdrawal({ accounts, beneficiaries }: { accounts: Account[]; beneficiaries: BeneficiaryChoices }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOpen = useIsOpen()
  const { accountId } = useParams({ strict: false }) as { accountId?: string }
  const found = accounts.find(({ _id }) => _id === accountId)
  const account = found ? { id: found._id, currency: found.currency, isLive: found.live_account } : null
  const form = useWithdrawalForm(account)
  // A reason that blocks every withdrawal is shown before an account is chosen.
  const live = accounts.find(({ live_account }) => live_account)
  const asked = account ?? (live ? { id: live._id, currency: live.currency, isLive: true } : null)
  const quote = useWithdrawalQuote(form.values, asked)
  useUnsavedGuard({ isDirty: form.isDirty, staysAt: (path) => /^\/funds\/withdraw(\/|$)/.test(path) })

  const chooseAccount = (id: string) => {
    // Fees, limits and beneficiaries depend on the account.
    form.clearBeneficiary()
    navigate({
      to: '/funds/withdraw/{-$accountId}',
      params: { accountId: id } as never,
      replace: true,
      resetScroll: false,
    })
  }
  const finish = () => navigate({ to: isOpen('transactions') ? '/funds/transactions' : '/home', replace: true })
  const identity = quote.data?.latest.blocks.find(({ code }) => code === identityCode)
  const shown = account ? quote.data?.quote : undefined

  return (
    <form ref={form.element} className={formPage.layout} onSubmit={form.onSubmit} noValidate aria-label={t('Withdraw')}>
      <div className={formPage.steps}>
        <UnsentInput
          form="withdrawal"
          values={form.values}
          isDirty={form.isDirty}
          mayBeDone={form.mayBeDone}
          onRestore={form.restore}
        />
        {identity && asked?.isLive && <IdentityNotice block={identity} isOpen={isOpen('documents')} />}
        {accountId !== undefined && account === null && <Callout meaning="amber">{t(texts.accountUnknown)}</Callout>}
        <WithdrawalFields
          form={form}
          accounts={accounts.map((one) => selectable(one, t))}
          account={account}
          beneficiaries={beneficiaries}
          available={shown?.available ?? null}
          providers={shown?.providers ?? []}
          onAccount={chooseAccount}
        />
      </div>
      <WithdrawalSummary
        quote={shown}
        isLive={account?.isLive ?? true}
        onRetry={account && quote.isError && !quote.isFetching ? () => quote.refetch() : undefined}
        isSubmitting={form.isSubmitting}
        refusal={<Refusal messages={form.refusal} isUnknown={form.isUnknown} />}
      />
      <DepositCreatedDialog
        ticket={form.answer?.transaction.ticket}
        about={t(account?.isLive === false ? demoNext : liveNext, { ticket: form.answer?.transaction.ticket })}
        onClose={finish}
      />
    </form>
  )
}

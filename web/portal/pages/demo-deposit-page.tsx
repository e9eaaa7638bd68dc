import { texts } from '@atrium/contract/texts.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { movesMoney } from '../../features/accounts/account-labels.ts'
import { type Account, useAccounts } from '../../features/accounts/use-accounts.ts'
import { DemoDepositFields, DemoDepositSummary } from '../../features/funding/deposit/demo-deposit-form.tsx'
import { DepositCreatedDialog } from '../../features/funding/deposit/deposit-created-dialog.tsx'
import { useDemoDeposit } from '../../features/funding/deposit/use-demo-deposit.ts'
import { useIsOpen } from '../../features/session/session.ts'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import formPage from '../../ui/forms/form-page.module.css'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { selectable } from '../selectable-account.ts'

export function DemoDepositPage() {
  const { t } = useTranslation()
  const mayOpen = useMayOpen()
  const { accounts, error, retry } = useAccounts()
  const usable = accounts?.filter(movesMoney)
  return (
    <Page title={t('Demo deposit')} help={t('Demo funds for a demo account, credited at once.')}>
      {error && !accounts ? (
        <Card>
          <ErrorState error={error} onRetry={retry} />
        </Card>
      ) : !usable ? (
        <FormSkeleton label={t('Loading')} />
      ) : !usable.some(({ live_account }) => !live_account) ? (
        <Card>
          <EmptyState
            drawing="accounts"
            title={
              accounts?.length === 0
                ? t(texts.noAccounts)
                : t('Demo funds go to a demo account, and you have none that is open.')
            }
            action={
              mayOpen('demo') && <LinkButton to="/accounts/open-demo-account">{t('Open Demo Account')}</LinkButton>
            }
          />
        </Card>
      ) : (
        <DemoDepositOf accounts={usable} />
      )}
    </Page>
  )
}

function DemoDepositOf({ accounts }: { accounts: Account[] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOpen = useIsOpen()
  const { accountId } = useParams({ strict: false }) as { accountId?: string }
  const account = accounts.find(({ _id, live_account }) => _id === accountId && !live_account) ?? null
  const form = useDemoDeposit({ accountId: account?._id ?? null, currency: account?.currency ?? null })
  useUnsavedGuard({ isDirty: form.isDirty, staysAt: (path) => /^\/funds\/deposit-demo(\/|$)/.test(path) })

  const chooseAccount = (id: string) => {
    form.clearErrors('account')
    const isLive = accounts.find(({ _id }) => _id === id)?.live_account === true
    navigate({
      to: isLive ? '/funds/deposit/{-$accountId}' : '/funds/deposit-demo/{-$accountId}',
      params: { accountId: id } as never,
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <form
      ref={form.element}
      className={formPage.layout}
      onSubmit={form.onSubmit}
      noValidate
      aria-label={t('Demo deposit')}
    >
      <div className={formPage.steps}>
        <UnsentInput
          form="demo deposit"
          values={form.values}
          isDirty={form.isDirty}
          mayBeDone={form.mayBeDone}
          onRestore={form.change}
        />
        {accountId !== undefined && account === null && <Callout meaning="amber">{t(texts.accountUnknown)}</Callout>}
        <DemoDepositFields
          form={form}
          accounts={accounts.map((one) => selectable(one, t))}
          accountId={account?._id ?? null}
          currency={account?.currency ?? null}
          onAccount={chooseAccount}
        />
      </div>
      <DemoDepositSummary form={form} currency={account?.currency ?? null} />
      <DepositCreatedDialog
        ticket={form.answer?.transaction.ticket}
        about={t('Your demo deposit number is {{ticket}}. It is being credited now.', {
          ticket: form.answer?.transaction.ticket,
        })}
        onClose={() => navigate({ to: isOpen('transactions') ? '/funds/transactions' : '/home', replace: true })}
      />
    </form>
  )
}

import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { errorLines } from '../api/error-lines.ts'
import { type Account, useAccounts } from '../features/accounts/use-accounts.ts'
import type { DemoDepositField } from '../features/funding/demo-deposit-draft.ts'
import { DemoDepositFields, DemoDepositSummary } from '../features/funding/demo-deposit-form.tsx'
import { DepositCreatedDialog } from '../features/funding/deposit-created-dialog.tsx'
import { useDemoDeposit } from '../features/funding/use-demo-deposit.ts'
import { useIsOpen } from '../features/session/session.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { FormBones } from '../ui/form-bones.tsx'
import formPage from '../ui/form-page.module.css'
import { KeptEntries } from '../ui/kept-entries.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { notice } from '../ui/notice.ts'
import { Card, Page } from '../ui/page.tsx'
import { Callout, EmptyState } from '../ui/state.tsx'
import { useUnsavedGuard } from '../ui/use-unsaved-guard.ts'
import { useWrongFields } from '../ui/use-wrong-fields.ts'
import { selectable } from './selectable-account.ts'

export function DemoDepositPage() {
  const { t } = useTranslation()
  const { accounts, error, retry } = useAccounts()
  const usable = accounts?.filter((account) => !account.deleted && !account.archived)
  return (
    <Page title={t('Demo deposit')} help={t('Demo funds for a demo account, credited at once.')}>
      {error && !accounts ? (
        <Card>
          <ErrorState error={error} onRetry={retry} />
        </Card>
      ) : !usable ? (
        <FormBones label={t('Loading')} />
      ) : usable.length === 0 ? (
        <Card>
          <EmptyState
            drawing="accounts"
            title={t(texts.noAccounts)}
            action={<LinkButton to="/accounts/open-demo-account">{t('Open Demo Account')}</LinkButton>}
          />
        </Card>
      ) : (
        <DemoDepositOf accounts={usable} />
      )}
    </Page>
  )
}

const fieldLabels: Record<DemoDepositField, string> = {
  account: 'Trading account',
  amount: 'Amount',
  comment: 'Comment',
}

function DemoDepositOf({ accounts }: { accounts: Account[] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOpen = useIsOpen()
  const { accountId } = useParams({ strict: false }) as { accountId?: string }
  const account = accounts.find(({ _id, live_account }) => _id === accountId && !live_account) ?? null
  const fields = useRef(new Map<DemoDepositField, HTMLElement>())
  const { tell } = useWrongFields()
  const form = useDemoDeposit({
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
  useUnsavedGuard({ isDirty: form.isDirty, staysAt: (path) => /^\/funds\/deposit-demo(\/|$)/.test(path) })

  const chooseAccount = (id: string) => {
    form.clearError('account')
    const isLive = accounts.find(({ _id }) => _id === id)?.live_account === true
    navigate({
      to: isLive ? '/funds/deposit/{-$accountId}' : '/funds/deposit-demo/{-$accountId}',
      params: { accountId: id } as never,
      replace: true,
      resetScroll: false,
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <form className={formPage.layout} onSubmit={submit} noValidate aria-label={t('Demo deposit')}>
      <div className={formPage.steps}>
        <KeptEntries
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
          fieldRef={(field) => (element) => {
            if (element) fields.current.set(field, element)
            else fields.current.delete(field)
          }}
        />
      </div>
      <DemoDepositSummary form={form} currency={account?.currency ?? null} />
      <DepositCreatedDialog
        ticket={form.created?.ticket}
        about={t('Your demo deposit has the number {{ticket}} and is being credited now.', {
          ticket: form.created?.ticket,
        })}
        onClose={() => navigate({ to: isOpen('transactions') ? '/funds/transactions' : '/home', replace: true })}
      />
    </form>
  )
}

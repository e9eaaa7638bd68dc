import type { Mismatch } from '@atrium/contract/reconciliation/desk-calls.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Amount } from '../../ui/money/amount.tsx'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ExplainDialog } from './explain-dialog.tsx'
import { offeredActs } from './mismatch-acts.ts'
import parts from './reconciliation.module.css'
import { kindLabels, methodLabels, stateLabels } from './reconciliation-labels.ts'
import { useReopen } from './use-reconciliation.ts'

/** A mismatch: amount, links to the records, and the explanation. */
export function MismatchRow({ mismatch, mayDecide }: { mismatch: Mismatch; mayDecide: boolean }) {
  const { t } = useTranslation()
  const { label, about } = kindLabels[mismatch.kind]
  const state = stateLabels[mismatch.state]
  return (
    <li className={parts.one}>
      <span className={parts.line}>
        <span className={parts.strong}>{t(label)}</span>
        <StatusPill meaning={state.meaning} label={t(state.label)} />
      </span>
      <Sides mismatch={mismatch} />
      <p className={parts.quiet}>{t(about)}</p>
      <Where mismatch={mismatch} />
      {mismatch.note !== null && (
        <p className={parts.note}>
          {mismatch.note}{' '}
          <span className={parts.quiet}>
            {mismatch.explained_by} {mismatch.explained_at !== null && <Ago at={mismatch.explained_at} />}
          </span>
        </p>
      )}
      {mayDecide && <Acts mismatch={mismatch} />}
    </li>
  )
}

function Sides({ mismatch: { portal, provider, platform, currency, provider_currency } }: { mismatch: Mismatch }) {
  const { t } = useTranslation()
  const sides = [
    { name: t('Portal'), amount: portal, of: currency },
    { name: t('Provider'), amount: provider, of: provider_currency ?? currency },
    { name: t('Platform'), amount: platform, of: currency },
  ]
  return (
    <dl className={parts.sides}>
      {sides.map(({ name, amount, of }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Amount amount={amount} currency={of} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Where({ mismatch: { transaction, account, reference, method } }: { mismatch: Mismatch }) {
  const { t } = useTranslation()
  return (
    <span className={parts.links}>
      {transaction?.type === 'deposit' && (
        <Link to="/deposits/{-$depositId}" params={{ depositId: transaction._id }}>
          {t('Deposit T-{{ticket}}', transaction)}
        </Link>
      )}
      {transaction?.type === 'withdrawal' && (
        <Link to="/withdrawals/{-$withdrawalId}" params={{ withdrawalId: transaction._id }}>
          {t('Withdrawal T-{{ticket}}', transaction)}
        </Link>
      )}
      {account && (
        <Link to="/trading-accounts/$accountId" params={{ accountId: account._id }}>
          {`${account.platform_name} ${account.platform_login}`}
        </Link>
      )}
      <span>{t(methodLabels(method))}</span>
      {reference && <span>{t('Reference {{reference}}', { reference })}</span>}
    </span>
  )
}

function Acts({ mismatch }: { mismatch: Mismatch }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const reopen = useReopen()
  const { mayReopen, mayExplain, hasDialog } = offeredActs(mismatch, isOpen)
  if (!mayReopen && !hasDialog) return null
  return (
    <span>
      {mayReopen && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={reopen.isPending}
          onClick={() => reopen.mutate(mismatch._id, { onError: (error) => toast.refused(t(error.message)) })}
        >
          {t('Reopen')}
        </Button>
      )}
      {mayExplain && (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {t('Explain')}
        </Button>
      )}
      {hasDialog && <ExplainDialog mismatch={mismatch} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </span>
  )
}

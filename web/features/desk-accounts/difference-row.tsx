import { type DifferenceDecision, decisionsFor } from '@atrium/contract/account-sync/desk-calls.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-accounts.module.css'
import { decisionLabels, endLabels, kindLabels, reasonSentence } from './difference-labels.ts'
import { type Difference, useDecision } from './use-accounts.ts'

type DifferenceRowProps = { difference: Difference; mayDecide: boolean; onImport: () => void }

export function DifferenceRow({ difference, mayDecide, onImport }: DifferenceRowProps) {
  const { t } = useTranslation()
  const { label, meaning } = kindLabels[difference.kind]
  const { text, values } = reasonSentence(difference)
  const { group_name, leverage, holder, holder_email } = difference
  const atPlatform = [holder, holder_email, group_name, leverage && `1:${leverage}`].filter(Boolean).join(' · ')
  return (
    <div data-group="lg" data-lines="md" data-align="center" data-pad="md lg">
      <div className={parts.grow}>
        <span className={parts.strong}>
          {`${difference.platform_name} ${difference.platform_login}`} <StatusPill meaning={meaning} label={t(label)} />
        </span>
        <span>{t(text, values)}</span>
        {atPlatform !== '' && (
          <span className={parts.quiet}>{t('On the platform: {{facts}}', { facts: atPlatform })}</span>
        )}
        <span className={parts.quiet}>
          <Whose difference={difference} /> {t('First seen')} <Ago at={difference.first_seen_at} />
        </span>
        {difference.owner_proposed && <OwnerProposed {...difference.owner_proposed} />}
        {difference.decided && <Decided {...difference.decided} />}
      </div>
      {mayDecide && difference.state !== 'settled' && <Decisions difference={difference} onImport={onImport} />}
    </div>
  )
}

function Whose({ difference: { member, account_id } }: { difference: Difference }) {
  const { t } = useTranslation()
  if (!member || !account_id) return null
  return (
    <>
      <Link to="/trading-accounts/$accountId" params={{ accountId: account_id }}>
        {t('Account of {{name}}', { name: member.name })}
      </Link>
      {' · '}
    </>
  )
}

/** The account has money on it, so a second person names the same owner. */
export function OwnerProposed({ by, customer_number, is_you }: NonNullable<Difference['owner_proposed']>) {
  const { t } = useTranslation()
  return (
    <span className={parts.quiet}>
      {is_you
        ? t('You assigned it to customer {{number}}. A colleague must assign it to the same customer.', {
            number: customer_number,
          })
        : t('{{name}} assigned it to customer {{number}}. To approve, assign it to the same customer.', {
            name: by,
            number: customer_number,
          })}
    </span>
  )
}

function Decided({ how, at, by }: NonNullable<Difference['decided']>) {
  const { t } = useTranslation()
  return (
    <span className={parts.quiet}>
      {by === null ? t(endLabels[how]) : t('{{how}} by {{name}}', { how: t(endLabels[how]), name: by })} {'·'}{' '}
      <Ago at={at} />
    </span>
  )
}

function Decisions({ difference, onImport }: Pick<DifferenceRowProps, 'difference' | 'onImport'>) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const decision = useDecision()
  const login = difference.platform_login
  const questions: Partial<Record<DifferenceDecision, { title: string; body: string; action: string }>> = {
    archive: {
      title: t('Archive account {{login}}?', { login }),
      body: t('The member can no longer use it. Its history is kept.'),
      action: t('Archive'),
    },
    keep: {
      title: t('Leave account {{login}} as it is?', { login }),
      body: t('You will be asked again only if the platform reports something else.'),
      action: t('Leave as it is'),
    },
    reopen: {
      title: t('Decide about account {{login}} again?', { login }),
      body: t(
        'The next comparison treats it like a new difference. An account without an owner stays without one until you assign it to a member.',
      ),
      action: t('Decide again'),
    },
  }
  const act = async (which: DifferenceDecision) => {
    if (which === 'import') return onImport()
    const question = questions[which]
    if (question && !(await confirm({ ...question, isDangerous: which === 'archive' }))) return
    decision.mutate(
      { id: difference._id, decision: which },
      {
        onSuccess: () => toast.done(t(decisionLabels[which].done)),
        onError: (error) => toast.refused(t(error.message)),
      },
    )
  }
  return (
    <div data-group="sm">
      {decisionsFor(difference).map((which) => (
        <Button
          key={which}
          size="xs"
          variant="default"
          disabled={decision.isPending}
          aria-label={t('{{action}}: {{login}}', { action: t(decisionLabels[which].action), login })}
          onClick={() => act(which)}
        >
          {t(decisionLabels[which].action)}
        </Button>
      ))}
    </div>
  )
}

import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readIdentityCheck } from '@atrium/contract/documents/identity.ts'
import { knownOr, otherState } from '@atrium/contract/unknown-values.ts'
import { Anchor, Button } from '@mantine/core'
import type { Meaning } from '../../ui/brand/theme.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './documents.module.css'
import { useIdentityCheck, useStartIdentityCheck } from './use-identity.ts'

type State = NonNullable<CallAnswer<typeof readIdentityCheck>['state']>
const labels: Record<State, { meaning: Meaning; label: string }> = knownOr(otherState, {
  started: { meaning: 'amber', label: 'Started' },
  waiting: { meaning: 'blue', label: 'In verification' },
  retry: { meaning: 'amber', label: 'Something is missing' },
  approved: { meaning: 'green', label: 'Approved' },
  rejected: { meaning: 'red', label: 'Rejected' },
})

/** Starts the identity check at a vendor; empty when the brokerage verifies documents itself. */
export function IdentityCard() {
  const { t } = useTranslation()
  const { data: check, error, refetch } = useIdentityCheck()
  const begun = useStartIdentityCheck()
  if (error && !check)
    return (
      <Card>
        <ErrorState error={error} onRetry={() => refetch()} />
      </Card>
    )
  if (!check?.vendor) return null
  const { vendor, state, reason, offered } = check
  return (
    <Card data-stack="md" data-pad="lg">
      <div data-group="sm" data-align="center" data-justify="between">
        <h2 className={parts.progressTitle}>{t('Identity check by {{vendor}}', { vendor })}</h2>
        {state && <StatusPill meaning={labels[state].meaning} label={t(labels[state].label)} />}
      </div>
      {offered && (
        <p className={parts.help}>
          {t('{{vendor}} checks your documents and your face on its own page and sends us the result.', {
            vendor,
          })}
        </p>
      )}
      {reason && <Callout meaning="amber">{reason}</Callout>}
      {begun.error && <Callout meaning="red">{t(begun.error.message)}</Callout>}
      {offered &&
        (begun.data ? (
          <Anchor href={begun.data.url} target="_blank" rel="noopener noreferrer">
            {t('Continue at {{vendor}}', { vendor })}
          </Anchor>
        ) : (
          <div>
            <Button size="xs" loading={begun.isPending} onClick={() => begun.mutate()}>
              {state === null ? t('Start the identity check') : t('Continue the identity check')}
            </Button>
          </div>
        ))}
    </Card>
  )
}

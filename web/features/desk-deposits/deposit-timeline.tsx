import { type Step, Steps } from '../../ui/forms/steps.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { PlatformProblem } from '../../ui/text/platform-problem.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { actorName, labelOfEvent } from './deposit-labels.ts'
import type { DeskDeposit } from './use-desk-deposits.ts'

const current: Partial<Record<DeskDeposit['state'], { title: string; meaning: Step['meaning'] }>> = {
  pending: { title: 'Waiting for a decision', meaning: 'amber' },
  crediting: { title: 'Crediting the account', meaning: 'blue' },
  checking: { title: 'Checking the account’s history', meaning: 'blue' },
}

/** The events of a deposit with their actors, and its next step. */
export function DepositTimeline({ deposit }: { deposit: DeskDeposit }) {
  const { t } = useTranslation()
  const past = deposit.timeline.map((entry, index): Step => {
    const { title, meaning } = labelOfEvent(entry.event)
    const by = (
      <>
        <Moment at={entry.at} /> {'·'} {t(actorName(entry))}
      </>
    )
    const note = entry.note && <PlatformProblem problem={entry.note} show={({ text }) => text} />
    return { key: `${entry.at}-${index}`, title: t(title), by, note, meaning, stage: 'done' }
  })
  const now = current[deposit.state]
  const steps = now
    ? [...past, { key: 'now', title: t(now.title), meaning: now.meaning, stage: 'current' as const }]
    : past
  return <Steps label={t('History')} steps={steps} />
}

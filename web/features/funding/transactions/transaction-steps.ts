import { paymentOf } from '@atrium/contract/funding/own-payments.ts'
import type { Step } from '../../../ui/forms/steps.tsx'
import type { TFunction } from '../../../ui/text/i18n.ts'
import type { Transaction } from '../use-funding.ts'
import { actorLabels, type ComingStep, comingSteps, eventLabels } from './timeline-labels.ts'

type Moments = { at: (at: number) => string; now: number }
type SteppedTransaction = Pick<Transaction, 'type' | 'state' | 'created_at' | 'timeline'> &
  Partial<Pick<Transaction, 'payment_method'>>

const hourMs = 3_600_000

/** Past events, then the step in progress with its actor and due time, then the remaining steps. */
export function stepsOf(transaction: SteppedTransaction, t: TFunction, moments: Moments): Step[] {
  const happened = transaction.timeline.map((entry, index): Step => {
    const labels = eventLabels[entry.event]
    return {
      key: `${entry.at}-${entry.event}-${index}`,
      title: labels ? t(labels.title) : t('Updated'),
      by: `${moments.at(entry.at)} \u00b7 ${t(actorLabels[entry.by] ?? 'Automatic')}`,
      note: labels?.isNoteHidden ? null : entry.note,
      meaning: labels?.meaning ?? 'grey',
      stage: 'done',
    }
  })
  const coming = comingOf(transaction).map(
    (step, index): Step => ({
      key: step.title,
      title: t(step.title),
      by: [t(actorLabels[step.by] ?? 'Automatic'), untilWhen(step, transaction, t, moments)]
        .filter((part) => part !== null)
        .join(' \u00b7 '),
      meaning: transaction.state === 'pending' ? 'amber' : 'blue',
      stage: index === 0 ? 'current' : 'next',
    }),
  )
  return [...happened, ...coming]
}

/** An unpaid deposit waits for its provider; a paid one is handled like any other deposit. */
function comingOf({ payment_method = null, ...rest }: SteppedTransaction): ComingStep[] {
  const payment = paymentOf({ ...rest, payment_method })
  if (payment) return comingSteps.payment?.[payment] ?? []
  return comingSteps[rest.type]?.[rest.state] ?? []
}

/** A due time that has passed is not shown. */
function untilWhen(
  { withinHours, when }: ComingStep,
  { created_at }: SteppedTransaction,
  t: TFunction,
  { at, now }: Moments,
) {
  if (withinHours === undefined) return when === undefined ? null : t(when)
  const due = created_at + withinHours * hourMs
  return due > now ? t('by {{moment}}', { moment: at(due) }) : t('this takes longer than usual; we are working on it')
}

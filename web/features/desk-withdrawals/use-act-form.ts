import { newerApprovals } from '@atrium/contract/money/decisions.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { givenReasons } from '@atrium/contract/withdrawals/calls.ts'
import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { type Errors, fieldsBy } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useOpened } from '../../forms/use-opened.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Decision, useAct, withdrawalQuery } from './use-desk-withdrawals.ts'

export type Question = 'approve' | 'reject' | 'paid' | 'failed'

/** The form values of all questions, with their labels and notifications. */
const start = {
  ...{ reason: null as (typeof givenReasons)[number] | null, note: '' },
  ...{ reference: '', cause: '', failure: '' },
}
export type Values = typeof start
const ownLabels = {
  reference: 'Payment reference',
  cause: 'Reason',
  failure: 'Reason for the failure',
}

/** Two people record a transfer that was made although the withdrawal may not be paid now. */
export const isRecorded = ({ held_until, waits_for_identity }: DeskWithdrawal): boolean =>
  held_until !== null || waits_for_identity

type Asked = { question: Question; withdrawal: DeskWithdrawal }

function checkAct(
  { question, withdrawal }: Asked,
  { reason, reference, cause, failure }: Values,
): Errors<keyof Values> {
  if (question === 'reject' && reason === null) return { reason: ['Please choose a reason.'] }
  if (question === 'paid' && reference.trim() === '') return { reference: [texts.fieldsMissing] }
  if (question === 'paid' && isRecorded(withdrawal) && cause.trim() === '') return { cause: [texts.fieldsMissing] }
  if (question === 'failed' && failure.trim() === '') return { failure: [texts.fieldsMissing] }
  return {}
}

function decisionOf({ question, withdrawal }: Asked, { reason, note, reference, cause, failure }: Values): Decision {
  if (question === 'reject' && reason !== null)
    return { do: 'reject', seen: withdrawal.approvals, reason, note: note.trim() }
  if (question === 'paid' && isRecorded(withdrawal))
    return { do: 'paid', reference: reference.trim(), reason: cause.trim() }
  if (question === 'paid') return { do: 'paid', reference: reference.trim() }
  if (question === 'failed') return { do: 'failed', note: failure.trim() }
  return { do: 'approve', seen: withdrawal.approvals }
}

const rejected = 'T-{{ticket}} rejected. The member sees the reason.'
/** The notifications; `again`: a colleague has to do the same before anything happens. */
const doneTexts: Record<Question, { done: string; again: string }> = {
  approve: { done: 'T-{{ticket}} approved and sent.', again: 'T-{{ticket}} needs one more approval.' },
  reject: { done: rejected, again: rejected },
  paid: {
    done: 'T-{{ticket}} is marked as paid.',
    again: 'T-{{ticket}}: your record is saved. It counts once a second person has recorded the same reference.',
  },
  failed: {
    done: 'T-{{ticket}} is refunded to the account.',
    again: 'T-{{ticket}}: your confirmation is saved. The amount is refunded once a second person confirms.',
  },
}

type ActForm = Asked & {
  /** Of the fields of a rejection. */
  reasonLabels: Record<'reason' | 'note', string>
  onClose: () => void
}

/**
 * The decision about a withdrawal with the approvals that it had when the dialog opened: the page reads it again every few
 * seconds, and the first of two approvals must not become the last one under the button. A refusal says that they have changed,
 * and from then on the dialog shows and sends the newer ones.
 */
export function useActForm({ question, withdrawal: newest, reasonLabels, onClose }: ActForm) {
  const { t } = useTranslation()
  const labels = { ...reasonLabels, ...ownLabels }
  const { opened, takeNewer } = useOpened({
    row: newest,
    newest: (queries) => queries.getQueryData(withdrawalQuery(newest._id).queryKey),
    refusals: newerApprovals,
  })
  const withdrawal = { ...newest, approvals: opened.approvals }
  const { ticket } = withdrawal
  const attempt = useAct(withdrawal._id)
  const form = useCallForm({
    start: { ...start, reference: withdrawal.paid_by_hand?.reference ?? '' },
    labels,
    check: (values) => checkAct({ question, withdrawal }, values),
    fieldFor: fieldsBy(labels, {
      ...(question === 'failed' && { note: 'failure' }),
      ...(question === 'paid' && { reason: 'cause' }),
    }),
    key: 'own',
    send: (values, { key }) => attempt.mutateAsync({ ...decisionOf({ question, withdrawal }, values), key }),
    onDone: ({ state }) => {
      toast.done(t(doneTexts[question][state === withdrawal.state ? 'again' : 'done'], { ticket }))
      onClose()
    },
    onRefused: takeNewer,
  })
  return { form, withdrawal }
}

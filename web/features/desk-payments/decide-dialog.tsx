import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import { type ExceptionDecision, exceptionDecisions } from '@atrium/contract/payments/exceptions.ts'
import { Radio } from '@mantine/core'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { readerLanguage } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './payments.module.css'
import { type DeskException, isReturn, useDecide } from './use-payments.ts'

type DecideDialogProps = { asked: DeskException; onClose: () => void }

const labels = { decision: 'How should it be resolved?', outside_reference: 'Refund reference', note: 'Reason' }
const returnLabels = { ...labels, outside_reference: 'Payment reference' }

/** Shows the amount that each decision credits before it is sent, and sends it once. */
export function DecideDialog({ asked, onClose }: DecideDialogProps) {
  const { t } = useTranslation()
  const deciding = useDecide(asked._id)
  // The proposal at opening, so that one of a colleague in the meantime causes a conflict.
  const [seen] = useState(asked.state === 'proposed' ? asked.decision : null)
  const form = useCallForm({
    start: { decision: asked.decision as ExceptionDecision | null, note: '', outside_reference: '' },
    labels: isReturn(asked) ? returnLabels : labels,
    check: ({ decision }) => (decision === null ? { decision: ['Please choose a decision.'] } : {}),
    key: 'own',
    send: ({ decision, note, outside_reference: reference }, { key }) =>
      deciding.mutateAsync({
        ...{ idempotency_key: key, seen },
        decision: decision ?? 'explained',
        note,
        outside_reference: decision === 'given_back' ? reference : '',
      }),
    onDone: ({ case: now }) => {
      toast.done(now.state === 'proposed' ? t('Saved. It needs a second approval.') : t('Decided.'))
      onClose()
    },
  })
  const { values, errorOf, change } = form
  const { ticket } = asked.deposit
  const choices = useChoices(asked)
  return (
    <CallDialog
      form={form}
      title={isReturn(asked) ? t('Payout of T-{{ticket}}', { ticket }) : t('Payment for T-{{ticket}}', { ticket })}
      size={520}
      submit={t('Decide')}
      cancel={t('Not now')}
      unknown={t(outcomeTexts.decisionUnknown)}
      onClose={onClose}
    >
      <Radio.Group
        label={t('How should it be resolved?')}
        value={values.decision}
        onChange={(value) => change({ decision: exceptionDecisions.find((name) => name === value) ?? null })}
        error={errorOf('decision')}
      >
        <div className={parts.choices}>
          {choices.map(({ name, label }) => (
            <Radio key={name} value={name} label={label} size="xs" />
          ))}
        </div>
      </Radio.Group>
      {values.decision === 'given_back' && (
        <TextInput
          label={isReturn(asked) ? t('Payment reference') : t('Refund reference')}
          charsMax={limits.originCharsMax}
          value={values.outside_reference}
          error={errorOf('outside_reference')}
          onChange={(event) => change({ outside_reference: event.currentTarget.value })}
        />
      )}
      <Textarea
        label={t('Reason')}
        description={t('Visible to staff only.')}
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        value={values.note}
        error={errorOf('note')}
        onChange={(event) => change({ note: event.currentTarget.value })}
      />
      <PeopleNeeded asked={asked} />
    </CallDialog>
  )
}

function PeopleNeeded({ asked }: { asked: DeskException }) {
  const { t } = useTranslation()
  if (asked.creditable.people_needed <= 1 || asked.state !== 'open') return null
  return (
    <Callout meaning="blue">
      {isReturn(asked)
        ? t('Each decision about this payout needs two people.')
        : t('Crediting this amount needs two matching decisions.')}
    </Callout>
  )
}

/**
 * Only the possible decisions: a returned payment or one in another currency cannot be credited, and a paid deposit
 * that is pending again does not end without a refund.
 */
function useChoices(asked: DeskException): { name: ExceptionDecision; label: string }[] {
  const { creditable, order, why, deposit } = asked
  const isOfPayout = isReturn(asked)
  const { t } = useTranslation()
  const inCurrency = (amount: string) => `${formatAmount(amount, order.currency, readerLanguage())} ${order.currency}`
  const { credit_agreed: agreed, credit_paid: paid } = creditable
  const isRefused = why === 'credit_refused'
  const isPending = deposit.state === 'pending'
  return [
    ...(agreed === null
      ? []
      : [
          {
            name: 'credit_agreed' as const,
            label: t('Credit what was agreed: {{amount}}', { amount: inCurrency(agreed) }),
          },
        ]),
    ...(paid === null
      ? []
      : [
          {
            name: 'credit_paid' as const,
            label: isOfPayout
              ? t('Credit what came back: {{amount}}', { amount: inCurrency(paid) })
              : t('Credit what was paid, less the fee: {{amount}}', { amount: inCurrency(paid) }),
          },
        ]),
    ...(isRefused && !isPending
      ? []
      : [
          {
            name: 'given_back' as const,
            label: isOfPayout
              ? t('It was paid again outside of this system')
              : t('It was refunded outside of this system'),
          },
        ]),
    ...(isRefused && isPending
      ? []
      : [{ name: 'explained' as const, label: t('Close it with a reason: nothing is credited') }]),
  ]
}

import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import {
  isOperationNumber,
  type StuckOutcome,
  type StuckOutcomeSaid,
  stuckOutcomes,
  stuckOutcomeTexts,
} from '@atrium/contract/funding/stuck-outcome.ts'
import { texts } from '@atrium/contract/texts.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import { Button, Radio } from '@mantine/core'
import { type CallForm, useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { ReasonField } from '../../ui/forms/reason-fields.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

export type StuckOutcomeWord = { outcome: StuckOutcome; operation?: string; reason: string }
/** Sends a word and answers whether the outcome is settled by it. */
type Send = (word: StuckOutcomeWord & { key: string }) => Promise<{ isSettled: boolean }>

const outcomeLabels: Record<StuckOutcome, string> = knownOr(otherLabel, {
  executed: 'The platform executed it',
  not_executed: 'The platform did not execute it',
})
const labels = { outcome: 'What happened', operation: 'Operation number on the platform', reason: 'How you know' }
const start = { outcome: null as StuckOutcome | null, operation: '', reason: '' }
type Values = typeof start

type StuckOutcomeProps = { said: StuckOutcomeSaid; mayDecide: boolean; isOwn: boolean; onRecord: () => void }

/** The recorded word about the outcome, and the button to record or confirm one. */
export function StuckOutcomeNotice({ said, mayDecide, isOwn, onRecord }: StuckOutcomeProps) {
  const { t } = useTranslation()
  return (
    <>
      {said && <OutcomeSaid said={said} />}
      {mayDecide && (
        <Button size="xs" variant="default" disabled={isOwn} onClick={onRecord}>
          {t('Record the outcome')}
        </Button>
      )}
    </>
  )
}

function OutcomeSaid({ said }: { said: NonNullable<StuckOutcomeSaid> }) {
  const { t } = useTranslation()
  const { outcome, operation, reason, by, is_you } = said
  return (
    <>
      <p data-plain>
        {is_you
          ? t('You recorded an outcome; a colleague has to confirm it.')
          : t('{{name}} recorded an outcome; a second person has to confirm it.', { name: by })}
      </p>
      <p data-plain>
        {operation === null
          ? t('{{outcome}}: {{reason}}', { outcome: t(outcomeLabels[outcome]), reason })
          : t('{{outcome}} as operation {{operation}}: {{reason}}', {
              outcome: t(outcomeLabels[outcome]),
              operation,
              reason,
            })}
      </p>
    </>
  )
}

function check({ outcome, operation, reason }: Values) {
  return {
    ...(outcome === null && { outcome: ['Please choose what happened.'] }),
    ...(outcome === 'executed' && !isOperationNumber(operation.trim()) && { operation: [stuckOutcomeTexts.operation] }),
    ...(reason.trim() === '' && { reason: [texts.fieldsMissing] }),
  }
}

type DialogProps = { ticket: string; said: StuckOutcomeSaid; send: Send; onClose: () => void }

/** Rendered outside the notice, which goes when a colleague settles the outcome first. */
export function OutcomeDialog({ ticket, said, send, onClose }: DialogProps) {
  const { t } = useTranslation()
  const confirmed = said && !said.is_you ? { outcome: said.outcome, operation: said.operation ?? '' } : {}
  const form = useCallForm({
    start: { ...start, ...confirmed },
    labels,
    check,
    key: 'own',
    send: ({ outcome, operation, reason }, { key }) =>
      send({
        ...{ outcome: outcome ?? 'not_executed', reason: reason.trim(), key },
        ...(outcome === 'executed' && { operation: operation.trim() }),
      }),
    onDone: ({ isSettled }) => {
      toast.done(
        isSettled
          ? t('T-{{ticket}}: the outcome is recorded.', { ticket })
          : t('T-{{ticket}}: your record is saved. It counts once a second person has recorded the same.', { ticket }),
      )
      onClose()
    },
  })
  return (
    <CallDialog
      form={form}
      title={t('What became of T-{{ticket}} on the platform?', { ticket })}
      size={500}
      submit={t('Record the outcome')}
      cancel={t('Not now')}
      unknown={t(outcomeTexts.decisionUnknown)}
      onClose={onClose}
    >
      <p>
        {t(
          'An executed operation completes the transaction as usual. One that was not executed returns to the queue, where it is decided again. A second person has to record the same.',
        )}
      </p>
      <OutcomeFields form={form} />
    </CallDialog>
  )
}

type FieldsProps = { form: Pick<CallForm<Values, keyof Values, unknown>, 'values' | 'errorOf' | 'change'> }

function OutcomeFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  const { values, errorOf, change } = form
  return (
    <>
      <Radio.Group
        label={t(labels.outcome)}
        value={values.outcome}
        error={errorOf('outcome')}
        onChange={(value) => change({ outcome: stuckOutcomes.find((name) => name === value) ?? null })}
      >
        <div data-stack="sm" data-above="sm">
          {stuckOutcomes.map((name, index) => (
            <Radio
              key={name}
              value={name}
              data-autofocus={index === 0 || undefined}
              label={t(outcomeLabels[name])}
              size="xs"
            />
          ))}
        </div>
      </Radio.Group>
      {values.outcome === 'executed' && (
        <TextInput
          label={t(labels.operation)}
          required
          charsMax={20}
          value={values.operation}
          error={errorOf('operation')}
          onChange={(event) => change({ operation: event.currentTarget.value })}
        />
      )}
      <ReasonField label={t(labels.reason)} form={form} />
    </>
  )
}

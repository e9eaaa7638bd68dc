import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import { type ExceptionDecision, exceptionDecisions } from '@atrium/contract/payments/exceptions.ts'
import { Radio } from '@mantine/core'
import { Callout } from '../../ui/feedback/state.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { readerLanguage } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { saidFacts } from './exception-row.tsx'
import parts from './payments.module.css'
import { useDecideForm } from './use-decide-form.ts'
import { type DeskException, isReturn } from './use-payments.ts'

type DecideDialogProps = { asked: DeskException; onClose: () => void }

/** Shows the amount that each decision credits before it is sent, and sends it once. */
export function DecideDialog({ asked: opened, onClose }: DecideDialogProps) {
  const { t } = useTranslation()
  const { form, asked } = useDecideForm(opened, onClose)
  const { values, errorOf, change } = form
  const { ticket } = asked.deposit
  const choices = useChoices(asked)
  const proposed = asked.state === 'proposed' && choices.find(({ name }) => name === asked.decision)
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
      {proposed && (
        <Callout meaning="blue">
          {t('{{name}} proposed: {{decision}}', { name: asked.proposed_by, decision: proposed.label })}
          <Facts facts={saidFacts(asked, t)} />
        </Callout>
      )}
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

import { type CaseDecision, caseDecisions } from '@atrium/contract/desk-cases.ts'
import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money.ts'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { readerLanguage } from '../../ui/format.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import parts from './payments.module.css'
import { type DeskCase, useDecide } from './use-payments.ts'

type DecideDialogProps = { asked: DeskCase; isOpen: boolean; onClose: () => void }

/** Names what each decision puts on the account before anything is sent, and sends it once. */
export function DecideDialog({ asked, isOpen, onClose }: DecideDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('Payment for T-{{ticket}}', { ticket: asked.deposit.ticket })}
      size={520}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <DecideForm asked={asked} onClose={onClose} />
    </Modal>
  )
}

function DecideForm({ asked, onClose }: { asked: DeskCase; onClose: () => void }) {
  const { t } = useTranslation()
  const [decision, setDecision] = useState<CaseDecision | null>(asked.decision)
  const [note, setNote] = useState('')
  const [reference, setReference] = useState('')
  const [isMissing, setMissing] = useState(false)
  const deciding = useDecide(asked._id)
  const isSent = useRef(false)
  const errors = deciding.error instanceof ApiError ? deciding.error.fieldErrors : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(decision === null)
    // Two presses in one frame come before the button could show that it is busy.
    if (decision === null || isSent.current) return
    isSent.current = true
    deciding.mutate(
      { decision, note, outside_reference: decision === 'given_back' ? reference : '' },
      {
        onSuccess: ({ case: now }) => {
          notice.done(now.state === 'proposed' ? t('Saved. It needs a second approval.') : t('Decided.'))
          onClose()
        },
        onSettled: () => {
          isSent.current = false
        },
      },
    )
  }
  const errorOf = (field: string) => errors[field]?.map((message) => t(message)).join(' ')
  return (
    <form className={parts.form} onSubmit={submit} noValidate>
      <Radio.Group
        label={t('How should it be resolved?')}
        value={decision}
        onChange={(value) => setDecision(caseDecisions.find((name) => name === value) ?? null)}
        error={errorOf('decision') ?? (isMissing && t('Please choose a decision.'))}
      >
        <div className={parts.choices}>
          {useChoices(asked).map(({ name, label }) => (
            <Radio key={name} value={name} label={label} size="xs" />
          ))}
        </div>
      </Radio.Group>
      {decision === 'given_back' && (
        <TextInput
          label={t('Refund reference')}
          charsMax={limits.originCharsMax}
          value={reference}
          error={errorOf('outside_reference')}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      )}
      <Textarea
        label={t('Reason')}
        description={t('Visible to staff only.')}
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        value={note}
        error={errorOf('note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {asked.creditable.people_needed > 1 && asked.state === 'open' && (
        <Callout meaning="blue">{t('Crediting this amount needs two matching decisions.')}</Callout>
      )}
      {deciding.error && Object.keys(errors).length === 0 && (
        <Callout meaning="red">{t(deciding.error.message)}</Callout>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={deciding.isPending} onClick={onClose}>
          {t('Not now')}
        </Button>
        <Button type="submit" loading={deciding.isPending}>
          {t('Decide')}
        </Button>
      </Group>
    </form>
  )
}

/** Only what can be done: money that went back is not credited, nor what came in another currency. */
function useChoices({ creditable, order }: DeskCase): { name: CaseDecision; label: string }[] {
  const { t } = useTranslation()
  const say = (amount: string) => `${formatAmount(amount, order.currency, readerLanguage())} ${order.currency}`
  const { credit_agreed: agreed, credit_paid: paid } = creditable
  return [
    ...(agreed === null
      ? []
      : [{ name: 'credit_agreed' as const, label: t('Credit what was agreed: {{amount}}', { amount: say(agreed) }) }]),
    ...(paid === null
      ? []
      : [
          {
            name: 'credit_paid' as const,
            label: t('Credit what was paid, less the fee: {{amount}}', { amount: say(paid) }),
          },
        ]),
    { name: 'given_back', label: t('It was refunded outside of this system') },
    { name: 'explained', label: t('Close it with a reason: nothing is credited') },
  ]
}

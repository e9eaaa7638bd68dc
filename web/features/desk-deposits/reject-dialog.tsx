import { deskReasons, type RejectionReason, rejectionReasons } from '@atrium/contract/funding.ts'
import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money.ts'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { readerLanguage } from '../../ui/format.ts'
import { Textarea } from '../../ui/text-area.tsx'
import { type DecisionDialogProps, DecisionFacts, DecisionProblem, useDecision } from './decision.tsx'
import parts from './decision-dialogs.module.css'
import { reasonWords } from './deposit-words.ts'

/** The reason decides what the member reads and does next, so both stand here word for word before anything is sent. */
export function RejectDialog({ deposit, isOpen, onClose, onGone, ...ways }: DecisionDialogProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState<RejectionReason | null>(null)
  const [note, setNote] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  const { decide, isPending, error } = useDecision(deposit, ways)
  const amount = `${formatAmount(deposit.amount, deposit.currency, readerLanguage())} ${deposit.currency}`

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setReasonMissing(reason === null)
    if (reason !== null) decide({ do: 'reject', reason, note: note.trim() })
  }
  const choose = (value: string) => {
    setReason(deskReasons.find((name) => name === value) ?? null)
    setReasonMissing(false)
  }

  return (
    <Modal
      opened={isOpen}
      onClose={() => !isPending && onClose()}
      onExitTransitionEnd={onGone}
      title={t('Reject deposit T-{{ticket}} of {{amount}}?', { ticket: deposit.ticket, amount })}
      size={520}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <DecisionFacts deposit={deposit} />
      <form className={parts.form} onSubmit={submit} noValidate>
        <Radio.Group
          label={t('Why is it rejected?')}
          value={reason}
          onChange={choose}
          error={isReasonMissing && t('Please choose a reason.')}
        >
          <div className={parts.reasons}>
            {deskReasons.map((name, index) => (
              <Radio
                key={name}
                value={name}
                label={t(reasonWords[name])}
                size="xs"
                {...(index === 0 ? { 'data-autofocus': true } : {})}
              />
            ))}
          </div>
        </Radio.Group>
        <Textarea
          label={t('Note to the member (optional)')}
          size="sm"
          autosize
          minRows={2}
          maxRows={6}
          charsMax={limits.commentCharsMax}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {reason && <Letter reason={reason} note={note.trim()} />}
        <DecisionProblem error={error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {t('Keep it pending')}
          </Button>
          <Button type="submit" {...dangerousButton} loading={isPending}>
            {t('Reject deposit')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function Letter({ reason, note }: { reason: RejectionReason; note: string }) {
  const { t } = useTranslation()
  const { sentence, next } = rejectionReasons[reason]
  return (
    <div className={parts.letter} aria-live="polite">
      <p>{t('The member will read')}</p>
      <p>
        {t(sentence)} {t(next)}
      </p>
      {note && <p>{note}</p>}
    </div>
  )
}

import type { DeskDocument } from '@atrium/contract/desk-documents.ts'
import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { rejectReasons, unverifyReasons } from '@atrium/contract/document-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { isDay } from '@atrium/contract/validators/dates.ts'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { DateInput } from '../../ui/date-input.tsx'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import parts from './documents.module.css'
import { useVerdict, type Verdict } from './use-documents.ts'

type VerdictDialogProps = {
  what: Verdict['do'] | null
  document: DeskDocument
  onClose: () => void
  onDecided: () => void
}

/** Asks before each verdict, with the reason that the member will read. */
export function VerdictDialog({ what, ...rest }: VerdictDialogProps) {
  if (what === null) return null
  return what === 'verify' ? <Verify {...rest} /> : <WithReason key={what} what={what} {...rest} />
}

type Inner = Omit<VerdictDialogProps, 'what'>

function Verify({ document, onClose, onDecided }: Inner) {
  const { t } = useTranslation()
  const [day, setDay] = useState(document.expires_on ?? '')
  const [isTried, setTried] = useState(false)
  const verdict = useVerdict(document._id)
  const asksDay = document.valid_document?.expires ?? false
  const isMissing = asksDay && !isDay(day)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isMissing && !verdict.isPending)
      verdict.mutate({ do: 'verify', expires_on: day || null }, { onSuccess: onDecided })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Verify {{title}} of {{name}}?', { title: document.title, name: document.member.name })}
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate>
        <p>{t('It counts towards the required documents, and the member is notified.')}</p>
        {asksDay && (
          <DateInput
            label={t('Valid until')}
            required
            keepsText
            value={day}
            error={isTried && isMissing ? t(deskTexts.documentNeedsExpiry) : undefined}
            onChange={setDay}
          />
        )}
        {verdict.error && <Callout meaning="red">{t(verdict.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={verdict.isPending} onClick={onClose} data-autofocus>
            {t('Not now')}
          </Button>
          <Button type="submit" loading={verdict.isPending}>
            {t('Verify document')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const own = 'own'
const words = {
  reject: { title: 'Reject {{title}} of {{name}}?', action: 'Reject document', reasons: rejectReasons },
  unverify: {
    title: 'Revoke the verification of {{title}} of {{name}}?',
    action: 'Revoke',
    reasons: unverifyReasons,
  },
} as const

function WithReason({ what, document, onClose, onDecided }: Inner & { what: 'reject' | 'unverify' }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const [written, setWritten] = useState('')
  const [isTried, setTried] = useState(false)
  const verdict = useVerdict(document._id)
  const { title, action, reasons } = words[what]
  const reason = (chosen === own ? written : (chosen ?? '')).trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (reason !== '' && !verdict.isPending) verdict.mutate({ do: what, reason }, { onSuccess: onDecided })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(title, { title: document.title, name: document.member.name })}
      size={520}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate>
        <Radio.Group
          label={t('Why? The member reads it.')}
          value={chosen}
          error={isTried && chosen === null && t(deskTexts.reasonMissing)}
          onChange={setChosen}
        >
          <div className={parts.reasons}>
            {reasons.map((sentence) => (
              <Radio key={sentence} value={sentence} label={t(sentence)} size="xs" />
            ))}
            <Radio value={own} label={t('Other reason')} size="xs" />
          </div>
        </Radio.Group>
        {chosen === own && (
          <Textarea
            label={t('Reason')}
            size="sm"
            autosize
            minRows={2}
            maxRows={6}
            charsMax={limits.commentCharsMax}
            value={written}
            error={isTried && reason === '' && t(deskTexts.reasonMissing)}
            onChange={(event) => setWritten(event.currentTarget.value)}
          />
        )}
        {verdict.error && <Callout meaning="red">{t(verdict.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={verdict.isPending} onClick={onClose}>
            {t('Not now')}
          </Button>
          <Button type="submit" {...dangerousButton} loading={verdict.isPending}>
            {t(action)}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

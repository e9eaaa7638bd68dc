import type { DeskDocument } from '@atrium/contract/documents/desk-calls.ts'
import { rejectReasons, unverifyReasons } from '@atrium/contract/documents/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { isDay } from '@atrium/contract/validators/dates.ts'
import { Radio } from '@mantine/core'
import { useState } from 'react'
import { fieldsBy } from '../../api/form-errors.ts'
import { ReleaseDialog } from '../../forms/release-dialog.tsx'
import { useCallForm } from '../../forms/use-call-form.ts'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useVerdict, type Verdict } from './use-documents.ts'

type VerdictDialogProps = {
  what: Verdict['do'] | null
  document: DeskDocument
  onClose: () => void
  onDecided: () => void
}

/** Confirms a decision, with the reason that the member will read. */
export function VerdictDialog({ what, ...rest }: VerdictDialogProps) {
  if (what === null) return null
  if (what === 'release') return <Release {...rest} />
  return what === 'verify' ? <Verify {...rest} /> : <WithReason key={what} what={what} {...rest} />
}

type Inner = Omit<VerdictDialogProps, 'what'>

/** The document at opening, so that a decision of a colleague in the meantime causes a conflict and is not overruled. */
const useDecided = (document: DeskDocument): DeskDocument => useState(document)[0]

function Verify({ document, onClose, onDecided }: Inner) {
  const { t } = useTranslation()
  const verdict = useVerdict(useDecided(document))
  const asksDay = document.valid_document?.expires ?? false
  const form = useCallForm({
    start: { day: document.expires_on ?? '' },
    labels: { day: 'Valid until' },
    check: ({ day }) => (asksDay && !isDay(day) ? { day: [deskTexts.documentNeedsExpiry] } : {}),
    fieldFor: fieldsBy({ day: '' }, { expires_on: 'day' }),
    send: ({ day }) => verdict.mutateAsync({ do: 'verify', expires_on: day || null }),
    onDone: onDecided,
  })
  return (
    <CallDialog
      form={form}
      title={t('Verify {{title}} of {{name}}?', { title: document.title, name: document.member.name })}
      size={480}
      submit={t('Verify document')}
      cancel={t('Not now')}
      isQuestion
      onClose={onClose}
    >
      <p>{t('It counts towards the required documents. The member is notified.')}</p>
      {asksDay && (
        <DateInput
          label={t('Valid until')}
          required
          keepsText
          value={form.values.day}
          error={form.errorOf('day')}
          onChange={(day) => form.change({ day })}
        />
      )}
    </CallDialog>
  )
}

/** The document stays open: it can be seen and decided about afterwards. */
function Release({ document, onClose }: Inner) {
  const verdict = useVerdict(document)
  const send = (reason: string) => verdict.mutateAsync({ do: 'release', reason })
  return <ReleaseDialog name={document.file.name} send={send} onClose={onClose} />
}

const own = 'own'
const labels = {
  reject: { title: 'Reject {{title}} of {{name}}?', action: 'Reject document', reasons: rejectReasons },
  unverify: {
    title: 'Revoke the verification of {{title}} of {{name}}?',
    action: 'Revoke',
    reasons: unverifyReasons,
  },
} as const

function WithReason({ what, document, onClose, onDecided }: Inner & { what: 'reject' | 'unverify' }) {
  const { t } = useTranslation()
  const verdict = useVerdict(useDecided(document))
  const { title, action, reasons } = labels[what]
  const reasonOf = ({ chosen, written }: { chosen: string | null; written: string }) =>
    (chosen === own ? written : (chosen ?? '')).trim()
  const form = useCallForm({
    start: { chosen: null as string | null, written: '' },
    labels: { chosen: 'Reason (shown to the member)', written: 'Reason' },
    check: (values) =>
      reasonOf(values) === '' ? { [values.chosen === own ? 'written' : 'chosen']: [deskTexts.reasonMissing] } : {},
    send: (values) => verdict.mutateAsync({ do: what, reason: reasonOf(values) }),
    onDone: onDecided,
  })
  return (
    <CallDialog
      form={form}
      title={t(title, { title: document.title, name: document.member.name })}
      size={520}
      submit={t(action)}
      cancel={t('Not now')}
      isDangerous
      onClose={onClose}
    >
      <Radio.Group
        label={t('Reason (shown to the member)')}
        value={form.values.chosen}
        error={form.errorOf('chosen')}
        onChange={(chosen) => form.change({ chosen })}
      >
        <div data-stack="sm" data-above="sm">
          {reasons.map((sentence) => (
            <Radio key={sentence} value={sentence} label={t(sentence)} size="xs" />
          ))}
          <Radio value={own} label={t('Other reason')} size="xs" />
        </div>
      </Radio.Group>
      {form.values.chosen === own && (
        <Textarea
          label={t('Reason')}
          size="sm"
          autosize
          minRows={2}
          maxRows={6}
          charsMax={limits.commentCharsMax}
          value={form.values.written}
          error={form.errorOf('written')}
          onChange={(event) => form.change({ written: event.currentTarget.value })}
        />
      )}
    </CallDialog>
  )
}

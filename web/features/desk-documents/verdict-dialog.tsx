import type { DeskDocument } from '@atrium/contract/documents/desk-calls.ts'
import { rejectReasons, unverifyReasons } from '@atrium/contract/documents/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { isDay } from '@atrium/contract/validators/dates.ts'
import { Radio } from '@mantine/core'
import { fieldsBy } from '../../api/form-errors.ts'
import { ReleaseDialog } from '../../forms/release-dialog.tsx'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useOpened } from '../../forms/use-opened.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { statusLabels } from './document-labels.ts'
import { documentQuery, useVerdict, type Verdict } from './use-documents.ts'

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

function useDecided(row: DeskDocument) {
  const { opened: document, takeNewer } = useOpened({
    row,
    newest: (queries) => queries.getQueryData(documentQuery(row._id).queryKey),
    refusals: [deskTexts.documentMoved],
  })
  return { document, takeNewer, verdict: useVerdict(document) }
}

/** What the decision replaces: the dialog covers the page. */
function Now({ document }: { document: DeskDocument }) {
  const { t } = useTranslation()
  const { meaning = 'grey', label = document.status } = statusLabels[document.status] ?? {}
  const reason = document.status === 'rejected' && document.reject_reason
  return (
    <>
      <Facts
        facts={[
          { name: t('Status'), value: <StatusPill meaning={meaning} label={t(label)} /> },
          { name: t('Decided by'), value: document.decided_by },
        ]}
      />
      {reason && <Callout meaning={meaning}>{t(reason)}</Callout>}
    </>
  )
}

function Verify({ document: row, onClose, onDecided }: Inner) {
  const { t } = useTranslation()
  const { document, takeNewer, verdict } = useDecided(row)
  const asksDay = document.valid_document?.expires ?? false
  const form = useCallForm({
    start: { day: document.expires_on ?? '' },
    labels: { day: 'Valid until' },
    check: ({ day }) => ((asksDay || day !== '') && !isDay(day) ? { day: [deskTexts.documentNeedsExpiry] } : {}),
    fieldFor: fieldsBy({ day: '' }, { expires_on: 'day' }),
    send: ({ day }) => verdict.mutateAsync({ do: 'verify', expires_on: day || null }),
    onDone: onDecided,
    onRefused: takeNewer,
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
      <Now document={document} />
      <p>{t('It counts towards the required documents. The member is notified.')}</p>
      {/* The member's own entry counts, too, where the kind of document has no last day. */}
      {(asksDay || document.expires_on !== null) && (
        <DateInput
          label={t('Valid until')}
          required={asksDay}
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

function WithReason({ what, document: row, onClose, onDecided }: Inner & { what: 'reject' | 'unverify' }) {
  const { t } = useTranslation()
  const { document, takeNewer, verdict } = useDecided(row)
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
    onRefused: takeNewer,
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
      <Now document={document} />
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

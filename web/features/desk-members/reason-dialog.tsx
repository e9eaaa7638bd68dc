import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { ReactNode } from 'react'
import type { Errors } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

type ReasonDialogProps<Values extends object> = {
  title: string
  /** The consequence of the action. */
  consequence: string
  reasonHelp?: string
  action: string
  notNow: string
  /** A reversible action has no danger button. */
  isCalm?: boolean
  /** Additional values, and their labels in dialog order. */
  start: Values
  labels?: Partial<Record<keyof Values & string, string>>
  check?: (values: Values) => Errors<keyof Values & string>
  fields?: (form: MoreFields<Values>) => ReactNode
  send: (values: Values & { reason: string }) => Promise<unknown>
  /** Returns the values that the form takes over from a change by somebody else. */
  onRefused?: (error: Error, sent: Values) => Partial<Values> | undefined
  /** The notification after success. */
  done?: string
  onClose: () => void
}

export type MoreFields<Values> = {
  values: Values
  errorOf: (field: keyof Values & string) => string | undefined
  change: (next: Partial<Values>) => void
}

/** An action that affects a member: states its consequence and requires a reason. */
export function ReasonDialog<Values extends object>(props: ReasonDialogProps<Values>) {
  const { start, labels, check, fields, send, onRefused, done, onClose, ...dialog } = props
  const { t } = useTranslation()
  type Field = (keyof Values & string) | 'reason'
  const form = useCallForm<Values & { reason: string }, Field, unknown>({
    start: { ...start, reason: '' },
    labels: { ...labels, reason: 'Reason' } as Record<Field, string>,
    check(values) {
      const found: Errors<Field> = { ...check?.(values) }
      return values.reason.trim() === '' ? { ...found, reason: [deskTexts.reasonMissing] } : found
    },
    send,
    onDone: () => {
      if (done) toast.done(done)
      onClose()
    },
    onRefused(error, sent) {
      const newer = onRefused?.(error, sent)
      if (newer) form.change(newer as object)
    },
  })
  return (
    <CallDialog
      form={form}
      title={dialog.title}
      size={480}
      submit={dialog.action}
      cancel={dialog.notNow}
      isDangerous={!dialog.isCalm}
      onClose={onClose}
    >
      <p>{dialog.consequence}</p>
      {fields?.({ values: form.values, errorOf: form.errorOf, change: (next) => form.change(next as object) })}
      <Textarea
        label={t('Reason')}
        description={dialog.reasonHelp}
        required
        data-autofocus={fields ? undefined : true}
        size="sm"
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        error={form.errorOf('reason')}
        value={form.values.reason}
        onChange={(event) => form.change({ reason: event.currentTarget.value } as object)}
      />
    </CallDialog>
  )
}

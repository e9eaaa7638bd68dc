import { Button } from '@mantine/core'
import { FilledForm } from '../features/forms/filled-form.tsx'
import parts from '../features/requests/requests.module.css'
import { useSending } from '../features/requests/use-request-changes.ts'
import type { OfferedType } from '../features/requests/use-requests.ts'
import { useSession } from '../features/session/session.ts'
import { useCallForm } from '../forms/use-call-form.ts'
import { Refusal } from '../ui/feedback/refusal.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'

type RequestFormProps = {
  type: Pick<OfferedType, '_id' | 'name' | 'description' | 'form'>
  onSent: () => void
  onDirty: (isDirty: boolean) => void
}

/** The form of a request, in a dialog and on its own page. Subject and description come from the type and are hidden. */
export function RequestForm({ type, onSent, onDirty }: RequestFormProps) {
  const { member } = useSession()
  const send = useSending({ type, customer: member._id })
  if (!type.form) return <RequestWithoutForm name={type.name} send={send} onSent={onSent} />
  return <FilledForm formId={type.form._id} label={type.name} send={send} onSent={onSent} onDirty={onDirty} />
}

type RequestWithoutFormProps = {
  name: string
  send: (filled: { nonce_token: string }) => Promise<unknown>
  onSent: () => void
}

/** For a type without a form: only its name and a send button. */
function RequestWithoutForm({ name, send, onSent }: RequestWithoutFormProps) {
  const { t } = useTranslation()
  const form = useCallForm({
    start: {},
    labels: {},
    key: 'form_submit',
    send: (_nothing, { key }) => send({ nonce_token: key }),
    onDone: onSent,
  })
  return (
    <form ref={form.element} data-stack="lg" data-shrink onSubmit={form.onSubmit} noValidate>
      <p className={parts.about}>{t('No further information is needed.')}</p>
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <Button
        type="submit"
        className={parts.send ?? ''}
        loading={form.isSubmitting}
        aria-label={t('Submit Request: {{name}}', { name })}
      >
        {t('Submit Request')}
      </Button>
    </form>
  )
}

import { getUniqueToken } from '@atrium/contract/sessions.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNonceKeeper } from '../api/nonce-keeper.ts'
import { call } from '../api/transport.ts'
import { FilledForm } from '../features/forms/filled-form.tsx'
import parts from '../features/requests/requests.module.css'
import { type OfferedType, useSending } from '../features/requests/use-requests.ts'
import { useSession } from '../features/session/session.ts'
import { Callout } from '../ui/state.tsx'

type RequestFormProps = {
  type: Pick<OfferedType, '_id' | 'name' | 'description' | 'form'>
  onSent: () => void
  onDirty: (isDirty: boolean) => void
}

/** The form of a request, in a dialog and on its page alike. Subject and description come from the type, unseen. */
export function RequestForm({ type, onSent, onDirty }: RequestFormProps) {
  const { member } = useSession()
  const send = useSending({ type, customer: member._id })
  if (!type.form) return <PlainRequest name={type.name} send={send} onSent={onSent} />
  return <FilledForm formId={type.form._id} label={type.name} send={send} onSent={onSent} onDirty={onDirty} />
}

const fetchToken = async () => (await call(getUniqueToken, { token_key: 'form_submit' })).token

type PlainProps = { name: string; send: (filled: { nonce_token: string }) => Promise<unknown>; onSent: () => void }

/** Of a type that asks for nothing: its name says all. */
function PlainRequest({ name, send, onSent }: PlainProps) {
  const { t } = useTranslation()
  // The second click of two comes before the button is drawn as busy.
  const isUnderWay = useRef(false)
  const nonce = useNonceKeeper(fetchToken)
  const sending = useMutation({
    mutationFn: () => nonce.send((nonce_token) => send({ nonce_token })),
    onSuccess: onSent,
    onError: () => {
      isUnderWay.current = false
    },
  })
  const submit = () => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    sending.mutate()
  }
  return (
    <div className={parts.dialog}>
      <p className={parts.about}>{t('We need nothing more from you for this.')}</p>
      {sending.error && <Callout meaning="red">{t(sending.error.message)}</Callout>}
      <Button
        className={parts.send ?? ''}
        loading={sending.isPending}
        aria-label={t('Submit Request: {{name}}', { name })}
        onClick={submit}
      >
        {t('Submit Request')}
      </Button>
    </div>
  )
}

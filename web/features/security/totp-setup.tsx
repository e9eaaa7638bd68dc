import { texts } from '@atrium/contract/texts.ts'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { LoadedQrCode } from '../../ui/money/loaded-qr-code.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { newSecret } from './new-secret.ts'
import { type Added, useSecurityApi } from './security-api.tsx'
import parts from './totp-dialog.module.css'

const labels = { code: 'Code from the app' }

/** The secret as QR code and as text, and a field for the first code of the authenticator app. */
export function TotpSetup({ onAdded }: { onAdded: (answer: Added) => void }) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const id = useId()
  const started = useQuery(newSecret(api.startTotp, id))
  const form = useCallForm({
    start: { code: '' },
    labels,
    check: ({ code }) => (code.trim() === '' ? { code: [texts.fieldsMissing] } : {}),
    send: ({ code }) => api.confirmTotp(code),
    onDone: onAdded,
  })
  if (started.error) return <ErrorState error={started.error} onRetry={() => started.refetch()} />
  const secret = started.data?.secret.match(/.{4}/g)?.join(' ')
  return (
    <form
      ref={form.element}
      className={parts.steps}
      data-stack="lg"
      onSubmit={form.onSubmit}
      noValidate
      aria-label={t('Set up an authenticator app')}
    >
      <p>{t('Scan the QR code with an authenticator app, or enter the secret manually.')}</p>
      <div className={parts.place} aria-busy={!started.data}>
        {started.data ? (
          <LoadedQrCode text={started.data.uri} label={t('QR code for an authenticator app')} />
        ) : (
          <Skeleton height={200} width={200} />
        )}
      </div>
      <div className={parts.secret}>
        <code>{secret ?? '\u00a0'}</code>
        {started.data && <CopyButton value={started.data.secret} name={t('Secret')} />}
      </div>
      <TextInput
        label={t(labels.code)}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        charsMax={9}
        required
        withAsterisk={false}
        classNames={{ input: parts.digits }}
        value={form.values.code}
        error={form.errorOf('code')}
        onChange={(event) => form.change({ code: event.currentTarget.value })}
      />
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <Button type="submit" fullWidth loading={form.isSubmitting}>
        {t('Confirm the code')}
      </Button>
    </form>
  )
}

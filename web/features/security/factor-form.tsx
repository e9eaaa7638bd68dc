import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './factor-form.module.css'
import { knowsPasskeys, signWithPasskey } from './passkey-browser.ts'
import type { GivenProof, PasskeyRequest, Security } from './security-api.tsx'

type Method = Security['proof_methods'][number]

type FactorFormProps = {
  /** The form's accessible name. */
  label: string
  action: string
  methods: Method[]
  /** Fetches the challenge when the passkey is used. */
  request: () => Promise<PasskeyRequest>
  send: (given: GivenProof) => Promise<unknown>
  onDone: () => void
  /** Returns true when it handled the error itself. */
  onRefused?: (error: Error) => boolean
}

/** Verifies the user by one of their factors; the others are one click away. */
export function FactorForm({ label, action, methods, request, send, onDone, onRefused }: FactorFormProps) {
  const { t } = useTranslation()
  const offered = methods.filter((method) => method !== 'passkey' || knowsPasskeys())
  const form = useCallForm({
    start: { method: offered[0] ?? 'code', entry: '' } as { method: Method; entry: string },
    // It is the only field, and shows every error.
    labels: { entry: '' },
    fieldFor: () => 'entry',
    check: ({ method, entry }) => (method === 'passkey' || entry.trim() !== '' ? {} : { entry: [texts.fieldsMissing] }),
    send: async ({ method, entry }) =>
      send(method === 'passkey' ? { passkey: await signWithPasskey(await request()) } : { [method]: entry.trim() }),
    onDone,
    startAfter: ({ method }) => ({ method, entry: '' }),
    afterDone: 'anew',
    onRefused: (error) => {
      form.restore((now) => ({ ...now, entry: '' }))
      onRefused?.(error)
    },
  })
  const { method, entry } = form.values
  const type = (text: string) => {
    form.begin({ method, entry: text })
    if (method === 'code' && /^\p{Nd}{6}$/u.test(text.replace(/\s/g, ''))) form.submit({ entry: text })
  }
  const turnTo = (next: Method) => form.begin({ method: next, entry: '' })
  const error = form.errorOf('entry') ?? form.refusal.map((message) => t(message))[0]
  return (
    <form ref={form.element} data-stack="lg" onSubmit={form.onSubmit} noValidate aria-label={label}>
      {method === 'passkey' ? (
        <PasskeyPart error={error} />
      ) : (
        <Field key={method} method={method} value={entry} error={error} onType={type} />
      )}
      <Button type="submit" size="md" fullWidth loading={form.isSubmitting}>
        {method === 'passkey' ? t('Use a passkey') : action}
      </Button>
      <Others methods={offered.filter((other) => other !== method)} onChoose={turnTo} />
    </form>
  )
}

function PasskeyPart({ error }: { error: string | undefined }) {
  const { t } = useTranslation()
  return (
    <div className={parts.passkey}>
      <IconFingerprint size={36} stroke={1.5} aria-hidden />
      <p>{t('Your device will ask for your fingerprint, face or PIN.')}</p>
      {error && (
        <p className={parts.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

type FieldProps = {
  method: Exclude<Method, 'passkey'>
  value: string
  error: string | undefined
  onType: (text: string) => void
}

function Field({ method, value, error, onType }: FieldProps) {
  const { t } = useTranslation()
  const shared = { value, error, autoFocus: true, required: true, withAsterisk: false }
  const onChange = (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value)
  if (method === 'password')
    return (
      <PasswordInput
        {...shared}
        label={t('Current password')}
        name="password"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('Show password'), tabIndex: 0 }}
        onChange={onChange}
      />
    )
  if (method === 'recovery_code')
    return (
      <TextInput
        {...shared}
        label={t('Recovery code')}
        description={t('Each works once. They look like ABCD-EFGH-IJKL-MNOP.')}
        name="recovery-code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        charsMax={40}
        classNames={{ input: parts.codes }}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      {...shared}
      label={t('Code from your authenticator app')}
      description={t('Six digits, new every thirty seconds.')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      charsMax={9}
      classNames={{ input: parts.digits }}
      onChange={onChange}
    />
  )
}

const methodLabels: Record<Method, string> = {
  code: 'Use your authenticator app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
  password: 'Use your password',
}

function Others({ methods, onChoose }: { methods: Method[]; onChoose: (method: Method) => void }) {
  const { t } = useTranslation()
  if (methods.length === 0) return null
  return (
    <div data-stack="xs">
      {methods.map((method) => (
        <Button key={method} variant="subtle" fullWidth onClick={() => onChoose(method)}>
          {t(methodLabels[method])}
        </Button>
      ))}
    </div>
  )
}

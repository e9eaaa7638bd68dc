import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './sign-in-form.module.css'
import { useAttempt } from './use-attempt.ts'

export type Credentials = { email: string; password: string }

type SignInFormProps<Outcome> = {
  /** The form's accessible name. */
  label: string
  signIn: (credentials: Credentials) => Promise<Outcome>
  onSignedIn: (outcome: Outcome) => void
  /** Prefills the form; the demo offers its sign-ins. */
  prefilled?: Credentials | undefined
  /** The workspace's own limit; while unknown, a password manager's value is not cut. */
  passwordCharsMax?: number | undefined
}

/** The form for members and staff; the page supplies the call. */
export function SignInForm<Outcome>(props: SignInFormProps<Outcome>) {
  const { label, signIn, onSignedIn, prefilled, passwordCharsMax = limits.passwordCharsCeiling } = props
  const { t } = useTranslation()
  const [email, setEmail] = useState(prefilled?.email ?? '')
  const [password, setPassword] = useState(prefilled?.password ?? '')
  const [missing, setMissing] = useState<string | null>(null)
  const [isCapsLock, setCapsLock] = useState(false)
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const attempt = useAttempt(signIn, { onDone: onSignedIn, onFailed: () => emailField.current?.focus() })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (attempt.isPending) return
    const isMissing = email.trim() === '' || password === ''
    setMissing(isMissing ? texts.loginMissing : null)
    if (isMissing) {
      attempt.forget()
      const first = email.trim() === '' ? emailField : passwordField
      first.current?.focus()
    } else attempt.start({ email: email.trim(), password })
  }
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const error = missing ?? attempt.error?.message
  // Without the counting field, which would add to the first load.
  const tooLong = (text: string, count: number) => text.length > count && t(texts.textTooLong, { count })

  return (
    <form data-stack="lg" onSubmit={submit} noValidate aria-label={label}>
      {error && (
        <p className={parts.error} role="alert">
          {t(error)}
        </p>
      )}
      <TextInput
        ref={emailField}
        label={t('Email')}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        name="email"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        value={email}
        error={tooLong(email, limits.loginEmailCharsMax) || (error !== undefined && email === '')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        ref={passwordField}
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        error={tooLong(password, passwordCharsMax) || (error !== undefined && password === '')}
        aria-invalid={error !== undefined && password === ''}
        description={isCapsLock ? t('Caps Lock is on.') : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('Show password'), tabIndex: 0 }}
        onChange={(event) => setPassword(event.currentTarget.value)}
        onKeyDown={noticeCapsLock}
        onKeyUp={noticeCapsLock}
      />
      <Button type="submit" size="md" fullWidth data-above="sm" loading={attempt.isPending}>
        {t('Sign in')}
      </Button>
    </form>
  )
}

import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { type CallForm, useCallForm } from '../../forms/use-call-form.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { requestResetLink } from './new-password.ts'
import { isNamed, warnOf } from './reset-warnings.ts'

type ResetPanelProps = {
  label: string
  onBack: () => void
  /** Requests the link; members and staff have their own calls. */
  ask?: (email: string) => Promise<{ msg: string[] }>
}

/** Requests a link by email. The result never shows whether the address is known. */
export function ResetPanel({ label, onBack, ask = requestResetLink }: ResetPanelProps) {
  const { t } = useTranslation()
  const form: CallForm<{ email: string }, 'email', { msg: string[] }> = useCallForm({
    start: { email: '' },
    labels: { email: 'Email' },
    // The server's errors are toasts of a few seconds, by the specification.
    fieldFor: () => null,
    check: ({ email }) => (email.trim() !== '' && isFit(form.element.current) ? {} : { email: [texts.emailInvalid] }),
    send: ({ email }) => ask(email.trim()),
    onDone: ({ msg }) => toast.done(msg.map((line) => t(line)).join(' '), limits.resetNoticeMs),
    onRefused: (error) => warnOf(error, t),
    afterDone: 'anew',
  })

  return (
    <form ref={form.element} data-stack="lg" onSubmit={form.onSubmit} noValidate aria-label={label}>
      <TextInput
        label={t('Email')}
        labelProps={requiredLabel}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        name="email"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        charsMax={limits.emailCharsMax}
        value={form.values.email}
        error={form.errorOf('email')}
        onChange={(event) => form.change({ email: event.currentTarget.value })}
      />
      {!isNamed(form.error) && <Refusal messages={form.refusal} isUnknown={form.isUnknown} />}
      <Button type="submit" size="md" fullWidth data-above="sm" loading={form.isSubmitting}>
        {form.answer ? t('Send the link again') : t('Send reset link')}
      </Button>
      <Button variant="subtle" fullWidth data-above="sm" onClick={onBack}>
        {t('Back to sign in')}
      </Button>
    </form>
  )
}

/** The browser's own check of the field. */
function isFit(form: HTMLFormElement | null): boolean {
  const field = form?.elements.namedItem('email')
  return field instanceof HTMLInputElement && field.validity.valid
}

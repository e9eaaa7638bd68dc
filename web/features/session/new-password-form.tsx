import { limits } from '@atrium/contract/limits.ts'
import { passwordRules } from '@atrium/contract/sessions/passwords.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import type { ChangeEvent } from 'react'
import type { Errors } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { PasswordRules } from '../../ui/fields/password-rules.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { StrengthMeter } from '../../ui/fields/strength-meter.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

const nothing = { current_password: '', password: '', password_confirmation: '' }
export type PasswordEntry = typeof nothing
type Field = keyof PasswordEntry

type NewPasswordFormProps = {
  label: string
  action: string
  asksCurrent?: boolean
  /** False when the page has several forms. */
  isFocused?: boolean
  save: (entry: PasswordEntry) => Promise<{ msg: string[] }>
  onSaved: (answer: { msg: string[] }) => void
  /** Called besides: the form itself keeps the reason in sight. */
  onRefused?: (error: Error) => unknown
  /** Called when the form gets its first input, and when it is empty again. */
  onEdited?: (isEdited: boolean) => void
}

const labels: Record<Field, string> = {
  current_password: 'Current password',
  password: 'New password',
  password_confirmation: 'Confirm new password',
}

/** New password and confirmation, with a live list of rules; optionally the current password first. */
export function NewPasswordForm({
  label,
  action,
  asksCurrent = false,
  isFocused = true,
  save,
  ...after
}: NewPasswordFormProps) {
  const { t } = useTranslation()
  const form = useCallForm({
    start: nothing,
    labels,
    check: (entry) => gapsOf(entry, asksCurrent),
    send: save,
    onDone: after.onSaved,
    onRefused: (error) => after.onRefused?.(error),
    onDirty: after.onEdited,
  })
  const { values: entry } = form
  const fieldOf = (name: Field) => ({
    name,
    label: t(labels[name]),
    labelProps: requiredLabel,
    value: entry[name],
    error: form.errorOf(name),
    // Mantine sets it on other inputs itself.
    'aria-invalid': form.errors[name] !== undefined,
    required: true,
    withAsterisk: false,
    charsMax: limits.passwordCharsCeiling,
    visibilityToggleButtonProps: { 'aria-label': t('Show password'), tabIndex: 0 },
    onChange: (event: ChangeEvent<HTMLInputElement>) => form.change({ [name]: event.currentTarget.value }),
  })

  return (
    <form ref={form.element} data-stack="lg" onSubmit={form.onSubmit} noValidate aria-label={label}>
      {asksCurrent && (
        <PasswordInput autoComplete="current-password" autoFocus={isFocused} {...fieldOf('current_password')} />
      )}
      <PasswordInput autoComplete="new-password" autoFocus={isFocused && !asksCurrent} {...fieldOf('password')} />
      <StrengthMeter password={entry.password} />
      <PasswordRules password={entry.password} rules={passwordRules} />
      <PasswordInput autoComplete="new-password" {...fieldOf('password_confirmation')} />
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <Button type="submit" size="md" fullWidth data-above="sm" loading={form.isSubmitting}>
        {action}
      </Button>
    </form>
  )
}

/** The errors that need no server; the server checks again. */
function gapsOf(
  { current_password, password, password_confirmation }: PasswordEntry,
  asksCurrent: boolean,
): Errors<Field> {
  const broken = passwordRules.find((rule) => !rule.holds(password))
  return {
    ...(asksCurrent && current_password === '' && { current_password: [texts.currentPasswordMissing] }),
    ...(broken && { password: [password === '' ? texts.passwordMissing : broken.text] }),
    ...(!broken && password !== password_confirmation && { password_confirmation: [texts.passwordConfirmation] }),
  }
}

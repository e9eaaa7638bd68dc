import { limits } from '@atrium/contract/limits.ts'
import { passwordRules } from '@atrium/contract/sessions/passwords.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { PasswordRules } from '../../ui/fields/password-rules.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { StrengthMeter } from '../../ui/fields/strength-meter.tsx'
import { PasswordInput } from '../../ui/fields/text-input.tsx'
import { useWrongFields } from '../../ui/forms/use-wrong-fields.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './new-password-form.module.css'

const nothing = { current_password: '', password: '', password_confirmation: '' }
export type PasswordEntry = typeof nothing
type Field = keyof PasswordEntry
type Errors = Partial<Record<Field, string>>

type NewPasswordFormProps = {
  label: string
  action: string
  asksCurrent?: boolean
  /** False when the page has several forms. */
  isFocused?: boolean
  save: (entry: PasswordEntry) => Promise<{ msg: string[] }>
  onSaved: (answer: { msg: string[] }) => void
  /** Returns true when the page shows the error; otherwise the form shows what no field shows. */
  onRefused?: (error: Error) => boolean
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
  const [entry, setEntry] = useState(nothing)
  const [errors, setErrors] = useState<Errors>({})
  const { form, announce } = useWrongFields()
  const announceAll = (wrong: Errors) => announce((Object.keys(wrong) as Field[]).map((field) => t(labels[field])))
  const isEdited = Object.values(entry).some((value) => value !== '')
  const { onEdited } = after
  useEffect(() => onEdited?.(isEdited), [onEdited, isEdited])
  const attempt = useMutation({
    mutationFn: save,
    onSuccess: after.onSaved,
    onError: (error) => {
      const refused = errorsOf(error)
      setErrors(refused)
      announceAll(refused)
      const isSaid = after.onRefused?.(error) || Object.keys(refused).length > 0
      if (!isSaid) notice.warning(t(error.message), limits.resetErrorNoticeMs)
    },
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (attempt.isPending) return
    const gaps = gapsOf(entry, asksCurrent)
    setErrors(gaps)
    announceAll(gaps)
    if (Object.keys(gaps).length === 0) attempt.mutate(entry)
  }
  const fieldOf = (name: Field) => ({
    name,
    label: t(labels[name]),
    labelProps: requiredLabel,
    value: entry[name],
    error: errors[name] && t(errors[name]),
    // Mantine sets it on other inputs itself.
    'aria-invalid': errors[name] !== undefined,
    required: true,
    withAsterisk: false,
    charsMax: limits.passwordCharsCeiling,
    visibilityToggleButtonProps: { 'aria-label': t('Show password'), tabIndex: 0 },
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget
      setEntry((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _, ...others }) => others)
    },
  })

  return (
    <form ref={form} className={parts.form} onSubmit={submit} noValidate aria-label={label}>
      {asksCurrent && (
        <PasswordInput autoComplete="current-password" autoFocus={isFocused} {...fieldOf('current_password')} />
      )}
      <PasswordInput autoComplete="new-password" autoFocus={isFocused && !asksCurrent} {...fieldOf('password')} />
      <StrengthMeter password={entry.password} />
      <PasswordRules password={entry.password} rules={passwordRules} />
      <PasswordInput autoComplete="new-password" {...fieldOf('password_confirmation')} />
      <Button type="submit" size="md" fullWidth loading={attempt.isPending}>
        {action}
      </Button>
    </form>
  )
}

/** The errors that need no server; the server checks again. */
function gapsOf({ current_password, password, password_confirmation }: PasswordEntry, asksCurrent: boolean): Errors {
  const broken = passwordRules.find((rule) => !rule.holds(password))
  return {
    ...(asksCurrent && current_password === '' && { current_password: texts.currentPasswordMissing }),
    ...(broken && { password: password === '' ? texts.passwordMissing : broken.text }),
    ...(!broken && password !== password_confirmation && { password_confirmation: texts.passwordConfirmation }),
  }
}

function errorsOf(error: Error): Errors {
  if (!(error instanceof ApiError)) return {}
  const known = Object.keys(nothing) as Field[]
  const entries = known.flatMap((name) => {
    const messages = error.fieldErrors[name]
    return messages ? [[name, messages.join(' ')]] : []
  })
  return Object.fromEntries(entries)
}

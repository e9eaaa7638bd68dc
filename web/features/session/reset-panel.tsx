import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notice } from '../../ui/feedback/notice.ts'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useWrongFields } from '../../ui/forms/use-wrong-fields.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { requestResetLink } from './new-password.ts'
import { warnOf } from './reset-notices.ts'
import parts from './sign-in-form.module.css'

type ResetPanelProps = {
  label: string
  onBack: () => void
  /** Requests the link; members and staff have their own calls. */
  ask?: (email: string) => Promise<{ msg: string[] }>
}

/** Requests a link by email. The result never shows whether the address is known. */
export function ResetPanel({ label, onBack, ask = requestResetLink }: ResetPanelProps) {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const { form, announce } = useWrongFields()
  const request = useMutation({
    mutationFn: ask,
    onSuccess: ({ msg }) => notice.done(msg.map((line) => t(line)).join(' '), limits.resetNoticeMs),
    onError: (error) => warnOf(error, t),
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (request.isPending) return
    const field = event.currentTarget.elements.namedItem('email')
    const isFit = email.trim() !== '' && field instanceof HTMLInputElement && field.validity.valid
    setInvalid(!isFit)
    if (isFit) request.mutate(email.trim())
    else announce([t('Email')])
  }

  return (
    <form ref={form} className={parts.form} onSubmit={submit} noValidate aria-label={label}>
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
        value={email}
        error={isInvalid && t(texts.emailInvalid)}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setInvalid(false)
        }}
      />
      <Button type="submit" size="md" fullWidth loading={request.isPending}>
        {request.isSuccess ? t('Send the link again') : t('Send reset link')}
      </Button>
      <Button variant="subtle" fullWidth onClick={onBack}>
        {t('Back to sign in')}
      </Button>
    </form>
  )
}

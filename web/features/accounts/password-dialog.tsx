import { accountTexts } from '@atrium/contract/account-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Button, Group, Modal } from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordRules } from '../../ui/password-rules.tsx'
import { requiredLabel } from '../../ui/required-label.ts'
import { Callout } from '../../ui/state.tsx'
import { PasswordInput } from '../../ui/text-input.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import parts from './password-dialog.module.css'
import type { AccountDetail } from './use-account.ts'
import { labelOfField, type PasswordField, type PasswordKind, usePasswordChange } from './use-password-change.ts'

type PasswordDialogProps = { account: AccountDetail; kind: PasswordKind; isOpen: boolean; onClose: () => void }

const words: Record<PasswordKind, { title: string; hint: string; action: string }> = {
  main: {
    title: 'Change the password of account {{login}}',
    hint: accountTexts.passwordHint,
    action: 'Change password',
  },
  investor: {
    title: 'Set the investor password of account {{login}}',
    hint: accountTexts.investorHint,
    action: 'Set investor password',
  },
}

/** A new password for the account at its platform. What was typed is forgotten with the dialog. */
export function PasswordDialog({ account, kind, isOpen, onClose }: PasswordDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t(words[kind].title, { login: account.platform_login })}
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <PasswordForm key={kind} account={account} kind={kind} onClose={onClose} />
    </Modal>
  )
}

function PasswordForm({ account, kind, onClose }: Omit<PasswordDialogProps, 'isOpen'>) {
  const { t } = useTranslation()
  const change = usePasswordChange({ accountId: account._id, kind, onChanged: onClose })
  useUnsavedGuard({ isDirty: change.isFilled, onLeave: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.submit()
  }
  const fieldOf = (field: PasswordField) => ({
    name: field,
    label: t(labelOfField(field)),
    labelProps: requiredLabel,
    required: true,
    withAsterisk: false,
    autoComplete: 'new-password',
    charsMax: limits.tradingPasswordCharsMax,
    value: change.entry[field],
    error: change.errors[field],
    'aria-invalid': change.errors[field] !== undefined,
    visibilityToggleButtonProps: { 'aria-label': t('Show password'), tabIndex: 0 },
    onChange: (event: { currentTarget: HTMLInputElement }) => change.change(field, event.currentTarget.value),
  })
  return (
    <form ref={change.form} className={parts.form} onSubmit={submit} noValidate aria-label={t(words[kind].action)}>
      <p className={parts.hint}>{t(words[kind].hint)}</p>
      <PasswordInput data-autofocus {...fieldOf('password')} />
      <PasswordRules password={change.entry.password} rules={change.rules} />
      <PasswordInput {...fieldOf('password_confirmation')} />
      {change.problem && <Callout meaning="red">{change.problem}</Callout>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={change.isSending}>
          {t(words[kind].action)}
        </Button>
      </Group>
    </form>
  )
}

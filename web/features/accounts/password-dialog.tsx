import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { PasswordRules } from '../../ui/fields/password-rules.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { StableDetail } from './use-account.ts'
import { labelOfField, type PasswordField, type PasswordKind, usePasswordChange } from './use-password-change.ts'

type PasswordDialogProps = { account: StableDetail; kind: PasswordKind; isOpen: boolean; onClose: () => void }

const labels: Record<PasswordKind, { title: string; hint: string; action: string }> = {
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

/** Sets a new password for the account at its platform. Closing the dialog clears the input. */
export function PasswordDialog({ account, kind, isOpen, onClose }: PasswordDialogProps) {
  const { t } = useTranslation()
  const title = t(labels[kind].title, { login: account.platform_login })
  return (
    <FormDialog title={title} size={480} isOpen={isOpen} onClose={onClose}>
      {(tools) => <PasswordForm key={kind} account={account} kind={kind} tools={tools} />}
    </FormDialog>
  )
}

type PasswordFormProps = Pick<PasswordDialogProps, 'account' | 'kind'> & { tools: DialogTools }

function PasswordForm({ account, kind, tools }: PasswordFormProps) {
  const { t } = useTranslation()
  const { onSaved: onChanged, onDirty, onCancel } = tools
  const { rules, ...form } = usePasswordChange({ accountId: account._id, kind, onChanged, onDirty })
  const fieldOf = (field: PasswordField) => ({
    name: field,
    label: t(labelOfField(field)),
    labelProps: requiredLabel,
    required: true,
    withAsterisk: false,
    autoComplete: 'new-password',
    charsMax: limits.tradingPasswordCharsMax,
    value: form.values[field],
    error: form.errorOf(field),
    'aria-invalid': form.errorOf(field) !== undefined,
    visibilityToggleButtonProps: { 'aria-label': t('Show password'), tabIndex: 0 },
    onChange: (event: { currentTarget: HTMLInputElement }) => form.change({ [field]: event.currentTarget.value }),
  })
  return (
    <DialogForm form={form} label={t(labels[kind].action)} submit={t(labels[kind].action)} onCancel={onCancel}>
      <p>{t(labels[kind].hint)}</p>
      <PasswordInput data-autofocus {...fieldOf('password')} />
      <PasswordRules password={form.values.password} rules={rules} />
      <PasswordInput {...fieldOf('password_confirmation')} />
    </DialogForm>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { changeOwnPassword } from '../../features/session/new-password.ts'
import { NewPasswordForm } from '../../features/session/new-password-form.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './profile-page.module.css'

export function ChangePasswordPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isEdited, setEdited] = useState(false)
  useUnsavedGuard({ isDirty: isEdited })
  return (
    <Page
      title={t('Change password')}
      help={t('Your other devices will be signed out; this one stays signed in.')}
      actions={<TextLink to="/profile">{t('Back to profile')}</TextLink>}
    >
      <Card className={parts.narrow}>
        <NewPasswordForm
          asksCurrent
          label={t('Change password')}
          action={t('Change password')}
          save={changeOwnPassword}
          onEdited={setEdited}
          onSaved={({ msg }) => {
            toast.done(msg.map((line) => t(line)).join(' '))
            navigate({ to: '/home/', ignoreBlocker: true })
          }}
        />
      </Card>
    </Page>
  )
}

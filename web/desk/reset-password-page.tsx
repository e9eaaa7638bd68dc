import '../ui/shell-styles.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { checkStaffLink, setStaffPassword } from '../features/desk-session/staff-password.ts'
import { NewPasswordForm } from '../features/session/new-password-form.tsx'
import { useResetLink } from '../features/session/use-reset-link.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Callout } from '../ui/state.tsx'
import { Entrance } from './entrance.tsx'
import { leave } from './session-gate.ts'

/** Where the links of invitations and of forgotten passwords lead, once the code has left the address. */
export function ResetPasswordPage() {
  const { t } = useTranslation()
  const router = useRouter()
  const link = useResetLink(checkStaffLink, () => leave(router, { isRemembering: false }))
  const { check } = link
  if (link.isSpent) return <InvalidLink />
  const isInvited = check.data?.purpose === 'invitation'
  return (
    <Entrance
      title={isInvited ? t('Welcome to the desk') : t('Set a new password')}
      help={
        isInvited ? t('Choose the password that you will sign in with.') : t('You will be signed out on every device.')
      }
    >
      {check.error ? (
        <ErrorState error={check.error} onRetry={() => check.refetch()} holds={t('Your password is unchanged.')} />
      ) : check.data ? (
        <NewPasswordForm
          label={t('Set a password')}
          action={t('Set password')}
          save={({ password, password_confirmation }) =>
            setStaffPassword({ code: link.code, password, password_confirmation })
          }
          onSaved={link.finish}
          onRefused={link.noteRefusal}
        />
      ) : (
        <div role="status" aria-label={t('Checking your link')}>
          <Skeleton height={44} mb="lg" />
          <Skeleton height={44} mb="lg" />
          <Skeleton height={44} />
        </div>
      )}
    </Entrance>
  )
}

function InvalidLink() {
  const { t } = useTranslation()
  return (
    <Entrance title={t('Set a password')} help={t('An invitation can be sent again by an administrator.')}>
      <Callout meaning="red">{t(texts.resetLinkInvalid)}</Callout>
      <LinkButton to="/forgot-password" size="md" fullWidth>
        {t('Ask for a new link')}
      </LinkButton>
      <LinkButton to="/login" variant="subtle" fullWidth>
        {t('Back to sign in')}
      </LinkButton>
    </Entrance>
  )
}

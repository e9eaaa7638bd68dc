import '../ui/layout/shell-styles.ts'
import { useRouter } from '@tanstack/react-router'
import { checkStaffLink, setStaffPassword } from '../features/desk-session/staff-password.ts'
import { NewPasswordByLink, SpentLink } from '../features/session/new-password-by-link.tsx'
import { useResetLink } from '../features/session/use-reset-link.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import { Entrance } from './entrance.tsx'
import { leave } from './session-gate.ts'

/** The target of invitation and password-reset links, after the code is removed from the URL. */
export function ResetPasswordPage() {
  const { t } = useTranslation()
  const router = useRouter()
  const link = useResetLink(checkStaffLink, () => leave(router, { isRemembering: false }))
  if (link.isSpent) return <InvalidLink />
  const isInvited = link.check.data?.purpose === 'invitation'
  return (
    <Entrance
      title={isInvited ? t('Welcome to the desk') : t('Set a new password')}
      help={
        isInvited ? t('Choose the password that you will sign in with.') : t('You will be signed out on every device.')
      }
    >
      <NewPasswordByLink
        label={t('Set a password')}
        action={t('Set password')}
        link={link}
        save={setStaffPassword}
        onRefused={link.noteRefusal}
      />
    </Entrance>
  )
}

function InvalidLink() {
  const { t } = useTranslation()
  return (
    <Entrance title={t('Set a password')} help={t('An invitation can be sent again by an administrator.')}>
      <SpentLink forgotten="/forgot-password" />
    </Entrance>
  )
}

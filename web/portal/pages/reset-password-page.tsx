import '../../ui/layout/shell-styles.ts'
import { useRouter } from '@tanstack/react-router'
import { checkResetLink, resetPassword } from '../../features/session/new-password.ts'
import { NewPasswordByLink, SpentLink } from '../../features/session/new-password-by-link.tsx'
import { warnOf } from '../../features/session/reset-warnings.ts'
import { useResetLink } from '../../features/session/use-reset-link.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { BrandedEntrance } from '../branded-entrance.tsx'
import { leave } from '../session-gate.ts'

/** The target of the link in the email, after its code has been removed from the address. */
export function ResetPasswordPage() {
  const { t } = useTranslation()
  const router = useRouter()
  const link = useResetLink(checkResetLink, () => leave(router, { isRemembering: false }))
  const refuse = (error: Error) => {
    if (!link.noteRefusal(error)) warnOf(error, t)
  }
  if (link.isSpent) return <InvalidLink />
  const isInvited = link.check.data?.purpose === 'invitation'
  return (
    <BrandedEntrance
      title={isInvited ? t('Set your password') : t('Set a new password')}
      help={
        isInvited ? t('Choose the password that you will sign in with.') : t('You will be signed out on every device.')
      }
    >
      <NewPasswordByLink
        label={isInvited ? t('Set your password') : t('Set a new password')}
        action={isInvited ? t('Set password') : t('Set new password')}
        link={link}
        save={resetPassword}
        onRefused={refuse}
      />
    </BrandedEntrance>
  )
}

function InvalidLink() {
  const { t } = useTranslation()
  return (
    <BrandedEntrance title={t('Set a new password')}>
      <SpentLink forgotten="/forgot-password/" />
    </BrandedEntrance>
  )
}

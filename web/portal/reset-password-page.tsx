import '../ui/shell-styles.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { checkResetLink, resetPassword } from '../features/session/new-password.ts'
import { NewPasswordForm } from '../features/session/new-password-form.tsx'
import { warnOf } from '../features/session/reset-notices.ts'
import { useResetLink } from '../features/session/use-reset-link.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Callout } from '../ui/state.tsx'
import { Entrance } from './entrance.tsx'
import { leave } from './session-gate.ts'

/** Where the link of the mail leads, once the code has left the address. */
export function ResetPasswordPage() {
  const { t } = useTranslation()
  const router = useRouter()
  const link = useResetLink(checkResetLink, () => leave(router, { isRemembering: false }))
  const { check } = link
  const refuse = (error: Error) => {
    if (!link.noteRefusal(error)) warnOf(error, t)
    return true
  }
  if (link.isSpent) return <InvalidLink />
  return (
    <Entrance title={t('Set a new password')} help={t('You will be signed out on every device.')}>
      {check.error ? (
        <ErrorState error={check.error} onRetry={() => check.refetch()} holds={t('Your password is unchanged.')} />
      ) : check.data ? (
        <NewPasswordForm
          label={t('Set a new password')}
          action={t('Set new password')}
          save={({ password, password_confirmation }) =>
            resetPassword({ code: link.code, password, password_confirmation })
          }
          onSaved={link.finish}
          onRefused={refuse}
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
    <Entrance title={t('Set a new password')}>
      <Callout meaning="red">{t(texts.resetLinkInvalid)}</Callout>
      <LinkButton to="/forgot-password/" size="md" fullWidth>
        {t('Ask for a new link')}
      </LinkButton>
      <LinkButton to="/login" variant="subtle" fullWidth>
        {t('Back to sign in')}
      </LinkButton>
    </Entrance>
  )
}

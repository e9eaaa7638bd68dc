import '../ui/shell-styles.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { checkStaffLink, setStaffPassword } from '../features/desk-session/staff-password.ts'
import { NewPasswordForm } from '../features/session/new-password-form.tsx'
import { forgetResetCode, readResetCode } from '../features/session/reset-code.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { notice } from '../ui/notice.ts'
import { Callout, ErrorState } from '../ui/state.tsx'
import { Entrance } from './entrance.tsx'
import { leave } from './session-gate.ts'

const isAboutCode = (error: Error | null) => error instanceof ApiError && error.fieldErrors.code !== undefined

/** Where the links of invitations and of forgotten passwords lead, once the code has left the address. */
export function ResetPasswordPage() {
  const { t } = useTranslation()
  const router = useRouter()
  const [code] = useState(readResetCode)
  const [isSpent, setSpent] = useState(code === null)
  const check = useQuery({
    queryKey: ['reset-code', code],
    queryFn: () => checkStaffLink(code ?? ''),
    enabled: code !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (isSpent || isAboutCode(check.error)) return <InvalidLink />
  const isInvited = check.data?.purpose === 'invitation'
  const finish = ({ msg }: { msg: string[] }) => {
    forgetResetCode()
    leave(router, { isRemembering: false })
    notice.done(msg.map((line) => t(line)).join(' '), limits.resetNoticeMs)
  }
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
            setStaffPassword({ code: code ?? '', password, password_confirmation })
          }
          onSaved={finish}
          onRefused={(error) => {
            setSpent(isAboutCode(error))
            return isAboutCode(error)
          }}
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

import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import type { useResetLink } from './use-reset-link.ts'

type NewPassword = { code: string; password: string; password_confirmation: string }

type NewPasswordByLinkProps = {
  label: string
  action: string
  link: ReturnType<typeof useResetLink>
  save: (given: NewPassword) => Promise<{ msg: string[] }>
  onRefused: (error: Error) => unknown
}

/** The form behind a valid link; members and staff have their own links. */
export function NewPasswordByLink({ label, action, link, save, onRefused }: NewPasswordByLinkProps) {
  const { t } = useTranslation()
  const { check } = link
  if (check.error)
    return <ErrorState error={check.error} onRetry={() => check.refetch()} holds={t('Your password is unchanged.')} />
  if (!check.data)
    return (
      <div role="status" aria-label={t('Checking your link')}>
        <Skeleton height={44} mb="lg" />
        <Skeleton height={44} mb="lg" />
        <Skeleton height={44} />
      </div>
    )
  return (
    <NewPasswordForm
      label={label}
      action={action}
      save={({ password, password_confirmation }) => save({ code: link.code, password, password_confirmation })}
      onSaved={link.finish}
      onRefused={onRefused}
    />
  )
}

/** Shown for a link that is used or expired. */
export function SpentLink({ forgotten }: { forgotten: '/forgot-password/' | '/forgot-password' }) {
  const { t } = useTranslation()
  return (
    <>
      <Callout meaning="red">{t(texts.resetLinkInvalid)}</Callout>
      <LinkButton to={forgotten} size="md" fullWidth>
        {t('Ask for a new link')}
      </LinkButton>
      <LinkButton to="/login" variant="subtle" fullWidth>
        {t('Back to sign in')}
      </LinkButton>
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { useDeskUser } from '../features/desk-session/desk-session.ts'
import { roleName } from '../features/desk-session/staff-role.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { EmptyState } from '../ui/state.tsx'

export function UnauthorizedPage() {
  const { t } = useTranslation()
  const { type } = useDeskUser()
  return (
    <EmptyState
      drawing="door"
      title={t('Your role does not open this')}
      text={t('You are here as {{role}}. An administrator can change what your role is.', { role: t(roleName(type)) })}
      action={<LinkButton to="/">{t('Back to your work')}</LinkButton>}
    />
  )
}

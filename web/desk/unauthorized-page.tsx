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
      title={t('Your role has no access to this page')}
      text={t('Your role is {{role}}. An administrator can change it.', { role: t(roleName(type)) })}
      action={<LinkButton to="/">{t('Back to your work')}</LinkButton>}
    />
  )
}

import { useDeskUser } from '../features/desk-session/desk-session.ts'
import { roleName } from '../features/desk-session/staff-role.ts'
import { EmptyState } from '../ui/feedback/state.tsx'
import { LinkButton } from '../ui/layout/link-button.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'

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

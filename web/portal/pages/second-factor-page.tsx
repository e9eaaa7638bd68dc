import '../../ui/layout/shell-styles.ts'
import { useRouter } from '@tanstack/react-router'
import { Enrolment } from '../../features/security/enrolment.tsx'
import { memberSecurityApi } from '../../features/security/member-security-api.ts'
import { ProofProvider } from '../../features/security/proof-provider.tsx'
import { SecurityApiProvider } from '../../features/security/security-api.tsx'
import { portalSession } from '../../features/session/portal-session.ts'
import { ConfirmProvider } from '../../ui/feedback/confirm.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { BrandedEntrance } from '../branded-entrance.tsx'
import { useLogout } from '../shell/use-logout.ts'

/** The only page of a session that must still set up the second factor that the brokerage requires. */
export function SecondFactorPage() {
  return (
    <ConfirmProvider>
      <SecurityApiProvider api={memberSecurityApi}>
        <SetUp />
        <ProofProvider />
      </SecurityApiProvider>
    </ConfirmProvider>
  )
}

function SetUp() {
  const { t } = useTranslation()
  const router = useRouter()
  const logout = useLogout()
  return (
    <BrandedEntrance
      title={t('Set up a second factor')}
      help={t('Your brokerage requires a second factor in addition to your password.')}
    >
      <Enrolment
        onEnrolled={() => router.navigate({ href: portalSession.takeTarget() ?? '/home/' })}
        onLeave={logout}
      />
    </BrandedEntrance>
  )
}

import '../../ui/layout/shell-styles.ts'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Enrolment } from '../../features/security/enrolment.tsx'
import { memberDoor } from '../../features/security/member-door.ts'
import { ProofProvider } from '../../features/security/proof-provider.tsx'
import { SecurityDoorProvider } from '../../features/security/security-door.tsx'
import { portalSession } from '../../features/session/portal-session.ts'
import { ConfirmProvider } from '../../ui/feedback/confirm.tsx'
import { BrandedEntrance } from '../branded-entrance.tsx'
import { useLogout } from '../shell/use-logout.ts'

/** The only page of a session that must still set up the second factor that the brokerage requires. */
export function SecondFactorPage() {
  return (
    <ConfirmProvider>
      <SecurityDoorProvider door={memberDoor}>
        <SetUp />
        <ProofProvider />
      </SecurityDoorProvider>
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

import '../ui/layout/shell-styles.ts'
import { Notifications } from '@mantine/notifications'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { deskSession } from '../features/desk-session/desk-session.ts'
import { deskSecurityApi } from '../features/security/desk-security-api.ts'
import { Enrolment } from '../features/security/enrolment.tsx'
import { ProofProvider } from '../features/security/proof-provider.tsx'
import { SecurityApiProvider } from '../features/security/security-api.tsx'
import { BrandLogo } from '../ui/brand/brand-logo.tsx'
import { ConfirmProvider } from '../ui/feedback/confirm.tsx'
import { Tag } from '../ui/feedback/status-pill.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import { useSignOut } from './shell/use-sign-out.ts'
import parts from './sign-in-page.module.css'
import { useBrand } from './use-brand.ts'

/** For staff who have not enrolled the second factor that the brokerage requires. */
export function SecondFactorPage() {
  return (
    <ConfirmProvider>
      <SecurityApiProvider api={deskSecurityApi}>
        <SetUp />
        <ProofProvider />
      </SecurityApiProvider>
      <Notifications limit={3} />
    </ConfirmProvider>
  )
}

function SetUp() {
  const { t } = useTranslation()
  const router = useRouter()
  const signOut = useSignOut()
  const brand = useBrand()
  useEffect(() => {
    document.title = `${t('Set up a second factor')} · ${t('{{brand}} desk', { brand: brand.name })}`
  }, [t, brand.name])
  return (
    <div className={parts.page}>
      <main className={parts.card}>
        <div data-group="md" data-nowrap data-align="center" data-justify="between" data-shrink>
          <BrandLogo name={brand.name} logo={brand.logo_url} />
          <Tag label={t('Desk')} />
        </div>
        <div>
          <h1 className={parts.title}>{t('Set up a second factor')}</h1>
          <p className={parts.help}>{t('The desk requires a second factor in addition to your password.')}</p>
        </div>
        <Enrolment onEnrolled={() => router.navigate({ href: deskSession.takeTarget() ?? '/' })} onLeave={signOut} />
      </main>
    </div>
  )
}

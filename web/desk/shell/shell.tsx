import '../../ui/layout/shell-styles.ts'
import { Outlet } from '@tanstack/react-router'
import { useNewVersion } from '../../api/app-version.ts'
import { useDeskActivity } from '../../features/desk-session/use-desk-activity.ts'
import { deskSecurityApi } from '../../features/security/desk-security-api.ts'
import { ProofProvider } from '../../features/security/proof-provider.tsx'
import { SecurityApiProvider } from '../../features/security/security-api.tsx'
import { ConfirmProvider } from '../../ui/feedback/confirm.tsx'
import { ReloadLink } from '../../ui/feedback/reload-link.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import frame from '../../ui/layout/frame.module.css'
import { KeyboardProvider } from '../../ui/layout/keyboard.tsx'
import { useIsPhone } from '../../ui/layout/use-is-phone.ts'
import { InSlices } from '../../ui/lazy/lazy.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Header } from './header.tsx'
import parts from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { useNavigationKeys } from './use-navigation-keys.ts'

/** The frame around every screen of the desk. */
export function Shell() {
  return (
    <InSlices>
      <ConfirmProvider>
        <SecurityApiProvider api={deskSecurityApi}>
          <KeyboardProvider>
            <Frame />
          </KeyboardProvider>
          <ProofProvider />
        </SecurityApiProvider>
      </ConfirmProvider>
    </InSlices>
  )
}

function Frame() {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const isOutdated = useNewVersion()
  useDeskActivity()
  useNavigationKeys()
  return (
    <>
      <a className={frame.skip} href="#desk-content">
        {t('Skip to content')}
      </a>
      <div className={frame.frame}>
        {!isPhone && <Sidebar />}
        <div className={`${frame.column} ${parts.column}`}>
          <Header />
          {isOutdated && (
            <div data-pad="sm lg">
              <Callout meaning="blue">
                {t('A new version is available.')} <ReloadLink />
              </Callout>
            </div>
          )}
          <main id="desk-content" className={parts.content} tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
    </>
  )
}

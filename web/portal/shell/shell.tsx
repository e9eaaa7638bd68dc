import '../../ui/layout/shell-styles.ts'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { memberSecurityApi } from '../../features/security/member-security-api.ts'
import { ProofProvider } from '../../features/security/proof-provider.tsx'
import { SecurityApiProvider } from '../../features/security/security-api.tsx'
import { SessionProvider, useFollowedSession, useIsOpen, useSession } from '../../features/session/session.ts'
import { useActivity } from '../../features/session/use-activity.ts'
import { usePreferences } from '../../features/session/use-preferences.ts'
import { ConfirmProvider } from '../../ui/feedback/confirm.tsx'
import frame from '../../ui/layout/frame.module.css'
import { useIsPhone } from '../../ui/layout/use-is-phone.ts'
import { InSlices } from '../../ui/lazy/lazy.tsx'
import { UnsentInputContext } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { places } from '../menu.ts'
import { BottomBar } from './bottom-bar.tsx'
import { EverywhereProvider } from './everywhere.tsx'
import { FrameNotices } from './frame-notices.tsx'
import { Header } from './header.tsx'
import parts from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TermsOrPage } from './terms-or-page.tsx'
import { unsentInputStore } from './unsent-input-store.ts'
import { useGatesAgain } from './use-gates-again.ts'
import { useLiveNotifications } from './use-live-notifications.ts'
import { useSharedSession } from './use-shared-session.ts'

/** The frame around every screen of a signed-in member, or around its replacement. */
export function Shell({ children }: { children?: ReactNode }) {
  return (
    <SessionProvider value={useFollowedSession()}>
      <InSlices>
        <Frame>{children ?? <Outlet />}</Frame>
      </InSlices>
    </SessionProvider>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const isOpen = useIsOpen()
  useActivity()
  useBrandInTitle(useSession().settings.brand.name)
  useGatesAgain()
  useLiveNotifications()
  usePreferences()
  useSharedSession()
  const shown = places.filter(({ scope }) => isOpen(scope))
  return (
    <UnsentInputContext value={unsentInputStore}>
      <ConfirmProvider>
        <SecurityApiProvider api={memberSecurityApi}>
          <EverywhereProvider places={shown}>
            <a className={frame.skip} href="#content">
              {t('Skip to content')}
            </a>
            <div className={frame.frame}>
              {!isPhone && <Sidebar places={shown} />}
              <div className={frame.column}>
                <Header />
                <Content>
                  <FrameNotices />
                  <TermsOrPage>{children}</TermsOrPage>
                </Content>
              </div>
              {isPhone && <BottomBar places={shown} />}
            </div>
          </EverywhereProvider>
          <ProofProvider />
        </SecurityApiProvider>
      </ConfirmProvider>
    </UnsentInputContext>
  )
}

/** Replaces the file's title on load; pages put their own title in front of the brand. */
function useBrandInTitle(brand: string): void {
  useEffect(() => {
    document.title = [...document.title.split(' · ').slice(0, -1), brand].join(' · ')
  }, [brand])
}

/** After navigation the focus moves to the content, so that a screen reader announces the new page and not the old menu. */
function Content({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // Choices in a form change the address too; the focus stays in the field.
    if (document.activeElement?.matches('#content :is(input, textarea)')) return
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main id="content" ref={main} className={parts.content} tabIndex={-1}>
      {children}
    </main>
  )
}

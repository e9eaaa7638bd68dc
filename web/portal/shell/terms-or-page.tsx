import { isBlockedBy } from '@atrium/contract/access/scopes.ts'
import { useLocation, useMatches } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTerms, useTermsCheck } from '../../features/terms/terms-check.ts'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useIsPhone } from '../../ui/layout/use-is-phone.ts'
import { LazyModal } from '../../ui/lazy/lazy.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { scopeOfRoute } from '../session-gate.ts'
import parts from './shell.module.css'
import { useLogout } from './use-logout.ts'

const TermsPanel = lazy(async () => ({ default: (await import('../../features/terms/terms-panel.tsx')).TermsPanel }))

/**
 * The page, or pending terms: over the page when they block everything, in its place when they block its scope.
 * A page that was already open stays mounted underneath with its input.
 */
export function TermsOrPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const terms = useTerms()
  useTermsCheck()
  const isPhone = useIsPhone()
  const leave = useLogout()
  const { pathname } = useLocation()
  const scope = scopeOfRoute(useMatches().at(-1)?.fullPath ?? '/')
  const here = terms.filter(({ blocked_portal_sections }) => isBlockedBy(scope, blocked_portal_sections))
  const [asked] = here
  const [openAt, setOpenAt] = useState<string>()
  useEffect(() => {
    if (!asked) setOpenAt(pathname)
  }, [asked, pathname])
  const isOver = asked?.blocked_portal_sections.includes('all') ?? false
  const isPageKept = !asked || openAt === pathname
  const panel = asked && (
    <TermsPanel key={asked._id} terms={asked} more={here.length - 1} headingLevel={isOver ? 3 : 2} onLeave={leave} />
  )
  return (
    <>
      {isPageKept && <div className={asked && !isOver ? parts.away : parts.inPlace}>{children}</div>}
      {asked && !isOver && (
        <Page title={asked.name} help={t('Please read and accept these terms to use this part of the portal.')}>
          <Card className={parts.termsCard} data-pad="xl">
            <Suspense fallback={null}>{panel}</Suspense>
          </Card>
        </Page>
      )}
      <LazyModal
        opened={isOver}
        onClose={() => undefined}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title={asked?.name}
        size={720}
        fullScreen={isPhone}
      >
        {isOver && panel}
      </LazyModal>
    </>
  )
}

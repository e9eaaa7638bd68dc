import { texts } from '@atrium/contract/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { rememberedBrand } from '../features/session/brand-memory.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { sessionQuery } from '../features/session/session.ts'
import { settingsQuery } from '../features/session/settings-query.ts'
import { BrandLogo } from '../ui/brand/brand-logo.tsx'
import { EmptyState } from '../ui/feedback/state.tsx'
import { LinkButton } from '../ui/layout/link-button.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import parts from './not-found-screen.module.css'
import { Shell } from './shell/shell.tsx'

/** Inside the frame for a signed-in member; otherwise on a page with the brokerage's brand. */
export function NotFoundScreen() {
  const { t } = useTranslation()
  const brand = useQuery(settingsQuery).data?.brand ?? rememberedBrand()
  const name = brand?.name ?? 'Atrium'
  const isSignedIn = portalSession.read() !== null
  const session = useQuery({ ...sessionQuery, enabled: isSignedIn })
  useEffect(() => {
    document.title = `${t('Page not available')} · ${name}`
  }, [name, t])
  const said = (
    <EmptyState
      isPage
      drawing="door"
      title={t(texts.notFoundPage)}
      text={t('It may have moved, or the address is not quite right.')}
      action={<LinkButton to="/home">{t('Go to home')}</LinkButton>}
    />
  )
  if (isSignedIn && session.isPending) return null
  if (isSignedIn && session.data) return <Shell>{said}</Shell>
  return (
    <div className={parts.page}>
      <header className={parts.brand}>
        <BrandLogo name={name} logo={brand?.logo_url ?? null} />
      </header>
      <main className={parts.content}>{said}</main>
    </div>
  )
}

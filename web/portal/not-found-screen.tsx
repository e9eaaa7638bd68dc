import { texts } from '@atrium/contract/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { rememberedBrand } from '../features/session/brand-memory.ts'
import { settingsQuery } from '../features/session/session.ts'
import { BrandLogo } from '../ui/brand-logo.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { EmptyState } from '../ui/state.tsx'
import parts from './not-found-screen.module.css'

/** Outside of the frame, since nobody need be signed in to take a wrong turn; it is still the brokerage's own page. */
export function NotFoundScreen() {
  const { t } = useTranslation()
  const brand = useQuery(settingsQuery).data?.brand ?? rememberedBrand()
  const name = brand?.name ?? 'Atrium'
  useEffect(() => {
    document.title = `${t('Page not available')} · ${name}`
  }, [name, t])
  return (
    <div className={parts.page}>
      <header className={parts.brand}>
        <BrandLogo name={name} logo={brand?.logo_url ?? null} />
      </header>
      <main className={parts.content}>
        <EmptyState
          isPage
          drawing="door"
          title={t(texts.notFoundPage)}
          text={t('It may have moved, or the address is not quite right.')}
          action={<LinkButton to="/home">{t('Go to home')}</LinkButton>}
        />
      </main>
    </div>
  )
}

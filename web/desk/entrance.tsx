import { type ReactNode, useEffect } from 'react'
import { useSlowRequests } from '../api/slow-requests.ts'
import { BrandLogo } from '../ui/brand/brand-logo.tsx'
import { LoaderBar } from '../ui/feedback/loader-bar.tsx'
import { Tag } from '../ui/feedback/status-pill.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import parts from './sign-in-page.module.css'
import { useBrand } from './use-brand.ts'

type EntranceProps = {
  title: string
  help: string
  /** In place of the help: why the session or the sign-in ended, announced to screen readers. */
  notice?: string
  children: ReactNode
}

/** The layout of every staff page before sign-in. */
export function Entrance({ title, help, notice, children }: EntranceProps) {
  const { t } = useTranslation()
  const brand = useBrand()
  useEffect(() => {
    document.title = `${title} · ${t('{{brand}} desk', { brand: brand.name })}`
  }, [t, title, brand.name])
  return (
    <div className={parts.page}>
      <div className={parts.bar}>
        <LoaderBar isShown={useSlowRequests()} />
      </div>
      <main className={parts.card}>
        <div data-group="md" data-nowrap data-align="center" data-justify="between" data-shrink>
          <BrandLogo name={brand.name} logo={brand.logo_url} />
          <Tag label={t('Desk')} />
        </div>
        <div>
          <h1 className={parts.title}>{title}</h1>
          <p className={parts.help} role={notice ? 'alert' : undefined}>
            {notice || help}
          </p>
        </div>
        {children}
      </main>
      <footer className={parts.foot}>
        {t('Looking for your own accounts?')} <a href="/login">{t('Go to the members’ portal')}</a>
      </footer>
    </div>
  )
}

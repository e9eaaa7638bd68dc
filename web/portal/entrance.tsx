import { type ReactNode, useEffect } from 'react'
import { useSlowRequests } from '../api/slow-requests.ts'
import type { Brand } from '../features/session/brand-memory.ts'
import { BrandLogo } from '../ui/brand/brand-logo.tsx'
import { LoaderBar } from '../ui/feedback/loader-bar.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import { BrandPicture } from './brand-picture.tsx'
import parts from './pages/login-page.module.css'

type EntranceProps = {
  brand: Brand | null
  title: string
  help?: string
  /** In place of the help: why the session or the sign-in ended, announced to screen readers. */
  notice?: string
  children: ReactNode
}

/** The layout of every screen before sign-in: the brand on one side, a form in one column. */
export function Entrance({ brand, title, help, notice, children }: EntranceProps) {
  const { t } = useTranslation()
  const name = brand?.name ?? 'Atrium'
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <div className={parts.page}>
      <div className={parts.bar}>
        <LoaderBar isShown={useSlowRequests()} />
      </div>
      <aside className={parts.brandSide} aria-hidden>
        <BrandPicture />
        <p className={parts.claim}>{t('Your accounts and funds in one place.')}</p>
      </aside>
      <main className={parts.formSide}>
        <div className={parts.form}>
          <BrandLogo name={name} logo={brand?.logo_url ?? null} />
          <div>
            <h1 className={parts.title}>{title}</h1>
            {(notice || help) && (
              <p className={parts.help} role={notice ? 'alert' : undefined}>
                {notice || help}
              </p>
            )}
          </div>
          {children}
        </div>
        {brand?.support_email && (
          <p className={parts.foot}>
            {t('Need help?')} <a href={`mailto:${brand.support_email}`}>{brand.support_email}</a>
          </p>
        )}
      </main>
    </div>
  )
}

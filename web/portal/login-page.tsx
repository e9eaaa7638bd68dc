import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSlowRequests } from '../api/slow-requests.ts'
import { rememberedBrand } from '../features/session/brand-memory.ts'
import { portalSession, settingsQuery } from '../features/session/session.ts'
import { type Credentials, SignInForm } from '../features/session/sign-in-form.tsx'
import { signInMember } from '../features/session/sign-in-member.ts'
import { BrandLogo } from '../ui/brand-logo.tsx'
import { LoaderBar } from '../ui/loader-bar.tsx'
import { BrandPicture } from './brand-picture.tsx'
import { DemoSignIns } from './demo-sign-ins.tsx'
import parts from './login-page.module.css'

export function LoginPage() {
  const { t } = useTranslation()
  const router = useRouter()
  const settings = useQuery(settingsQuery)
  const brand = settings.data?.brand ?? rememberedBrand()
  const [chosen, setChosen] = useState<Credentials>()
  const name = brand?.name ?? 'Atrium'
  useEffect(() => {
    document.title = `${t('Sign in')} · ${name}`
  }, [t, name])
  const proceed = () => {
    router.navigate({ href: portalSession.takeTarget() ?? '/home/' })
  }
  return (
    <div className={parts.page}>
      <div className={parts.bar}>
        <LoaderBar isShown={useSlowRequests()} />
      </div>
      <aside className={parts.brandSide} aria-hidden>
        <BrandPicture />
        <p className={parts.claim}>{t('Your accounts, your money, in plain sight.')}</p>
      </aside>
      <main className={parts.formSide}>
        <div className={parts.form}>
          <BrandLogo name={name} logo={brand?.logo_url ?? null} />
          <div>
            <h1 className={parts.title}>{t('Sign in')}</h1>
            <p className={parts.help}>{t('Welcome back. Enter your details to continue.')}</p>
          </div>
          <SignInForm
            key={chosen?.email}
            label={t('Sign in')}
            signIn={signInMember}
            prefilled={chosen}
            onSignedIn={proceed}
          />
          {settings.data?.demo && <DemoSignIns onChoose={setChosen} />}
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

import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSlowRequests } from '../api/slow-requests.ts'
import { deskSession } from '../features/desk-session/desk-session.ts'
import { finishStaffSignIn, type StaffSignedIn, signInStaff } from '../features/desk-session/sign-in-staff.ts'
import { SignInForm } from '../features/session/sign-in-form.tsx'
import { BrandLogo } from '../ui/brand-logo.tsx'
import { LoaderBar } from '../ui/loader-bar.tsx'
import { Tag } from '../ui/status-pill.tsx'
import parts from './sign-in-page.module.css'
import { useBrand } from './use-brand.ts'

const SecondStep = lazy(async () => ({ default: (await import('../features/security/second-step.tsx')).SecondStep }))

/** A constant of the demo brokerage; the server says whether this is it. */
const demoStaff = { email: 'staff@atrium.demo', password: 'Harbour-2026' }

export function SignInPage() {
  const { t } = useTranslation()
  const router = useRouter()
  const brand = useBrand()
  const [chosen, setChosen] = useState<typeof demoStaff>()
  const [asked, setAsked] = useState<StaffSignedIn['asked']>()
  const proceed = (outcome: StaffSignedIn = {}) => {
    if (outcome.asked) setAsked(outcome.asked)
    else if (outcome.mustEnrol) router.navigate({ to: '/second-factor' })
    else router.navigate({ href: deskSession.takeTarget() ?? '/' })
  }
  useEffect(() => {
    document.title = `${t('Sign in')} · ${t('{{brand}} desk', { brand: brand.name })}`
  }, [t, brand.name])
  return (
    <div className={parts.page}>
      <div className={parts.bar}>
        <LoaderBar isShown={useSlowRequests()} />
      </div>
      <main className={parts.card}>
        <div className={parts.brand}>
          <BrandLogo name={brand.name} logo={brand.logo_url} />
          <Tag label={t('Desk')} />
        </div>
        <div>
          <h1 className={parts.title}>{asked ? t('Confirm that it is you') : t('Sign in')}</h1>
          <p className={parts.help}>{t('For staff. What you do here is recorded with your name.')}</p>
        </div>
        {asked ? (
          <Suspense fallback={null}>
            <SecondStep
              asked={asked}
              finish={finishStaffSignIn}
              onSignedIn={() => proceed()}
              onBack={() => setAsked(undefined)}
            />
          </Suspense>
        ) : (
          <SignInForm
            key={chosen?.email}
            label={t('Sign in to the desk')}
            signIn={signInStaff}
            prefilled={chosen}
            onSignedIn={proceed}
          />
        )}
        {brand.isDemo && !asked && (
          <p className={parts.demo}>
            {t('This is a demo.')}{' '}
            <button type="button" onClick={() => setChosen(demoStaff)}>
              {t('Fill in {{email}}', { email: demoStaff.email })}
            </button>
          </p>
        )}
      </main>
      <footer className={parts.foot}>
        {t('Looking for your own accounts?')} <a href="/login">{t('Go to the members’ portal')}</a>
      </footer>
    </div>
  )
}

import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { deskSession } from '../features/desk-session/desk-session.ts'
import { finishStaffSignIn, type StaffSignedIn, signInStaff } from '../features/desk-session/sign-in-staff.ts'
import { requestStaffLink } from '../features/desk-session/staff-password.ts'
import { SignInForm } from '../features/session/sign-in-form.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import { Entrance } from './entrance.tsx'
import parts from './sign-in-page.module.css'
import { useBrand } from './use-brand.ts'

const ResetPanel = lazy(async () => ({ default: (await import('../features/session/reset-panel.tsx')).ResetPanel }))
const SecondStep = lazy(async () => ({ default: (await import('../features/security/second-step.tsx')).SecondStep }))

/** A constant of the demo brokerage; the server says whether this is the demo. */
const demoStaff = { email: 'staff@atrium.demo', password: 'Harbour-2026' }

type View = 'sign-in' | 'reset'

export function SignInPage({ opensOn = 'sign-in' }: { opensOn?: View }) {
  const { t } = useTranslation()
  const router = useRouter()
  const brand = useBrand()
  const help = t('For staff. Your actions are recorded under your name.')
  const [view, setView] = useState<View>(opensOn)
  const [chosen, setChosen] = useState<typeof demoStaff>()
  const [asked, setAsked] = useState<StaffSignedIn['asked']>()
  const [whyBack, setWhyBack] = useState<string>()
  const proceed = (outcome: StaffSignedIn = {}) => {
    if (outcome.asked) setAsked(outcome.asked)
    else if (outcome.mustEnrol) router.navigate({ to: '/second-factor' })
    else router.navigate({ href: deskSession.takeTarget() ?? '/' })
  }
  if (view === 'reset')
    return (
      <Entrance
        title={t('Reset your password')}
        help={t('Enter your email and we will send you a link to set a new password.')}
      >
        <Suspense fallback={null}>
          <ResetPanel label={t('Reset your password')} ask={requestStaffLink} onBack={() => setView('sign-in')} />
        </Suspense>
      </Entrance>
    )
  if (asked)
    return (
      <Entrance title={t('Confirm that it is you')} help={help}>
        <Suspense fallback={null}>
          <SecondStep
            asked={asked}
            finish={finishStaffSignIn}
            onSignedIn={() => proceed()}
            onBack={(why) => {
              setAsked(undefined)
              setWhyBack(why)
            }}
          />
        </Suspense>
      </Entrance>
    )
  return (
    <Entrance title={t('Sign in')} help={help} notice={whyBack ?? t(deskSession.whyOver())}>
      <div data-stack="md">
        <SignInForm
          key={chosen?.email}
          label={t('Sign in to the desk')}
          signIn={signInStaff}
          prefilled={chosen}
          onSignedIn={proceed}
        />
        <button type="button" className={parts.forgot} onClick={() => setView('reset')}>
          {t('Forgot your password?')}
        </button>
      </div>
      {brand.isDemo && (
        <p className={parts.demo}>
          {t('This is a demo.')}{' '}
          <button type="button" onClick={() => setChosen(demoStaff)}>
            {t('Fill in {{email}}', { email: demoStaff.email })}
          </button>
        </p>
      )}
    </Entrance>
  )
}

export function ForgotPasswordPage() {
  return <SignInPage opensOn="reset" />
}

import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { portalSession, settingsQuery } from '../../features/session/session.ts'
import { type Credentials, SignInForm } from '../../features/session/sign-in-form.tsx'
import { finishSignIn, type SignedIn, signInMember } from '../../features/session/sign-in-member.ts'
import { Entrance } from '../entrance.tsx'
import parts from './login-page.module.css'

const ResetPanel = lazy(async () => ({
  default: (await import('../../features/session/reset-panel.tsx')).ResetPanel,
}))
const SecondStep = lazy(async () => ({ default: (await import('../../features/security/second-step.tsx')).SecondStep }))
const DemoSignIns = lazy(async () => ({ default: (await import('../demo-sign-ins.tsx')).DemoSignIns }))

type View = 'sign-in' | 'reset'

/** One screen with two panels: sign-in, and the way out for whoever forgot the password. */
export function LoginPage({ opensOn = 'sign-in' }: { opensOn?: View }) {
  const { t } = useTranslation()
  const router = useRouter()
  const settings = useQuery(settingsQuery)
  const [view, setView] = useState<View>(opensOn)
  // Nothing slides that has not moved yet.
  const [hasMoved, setMoved] = useState(false)
  const [chosen, setChosen] = useState<Credentials>()
  const [asked, setAsked] = useState<SignedIn['asked']>()
  const proceed = (outcome: SignedIn = {}) => {
    if (outcome.asked) setAsked(outcome.asked)
    else if (outcome.mustEnrol) router.navigate({ to: '/second-factor' })
    else router.navigate({ href: portalSession.takeTarget() ?? '/home/' })
  }
  const turnTo = (next: View) => {
    setView(next)
    setMoved(true)
  }
  if (view === 'reset')
    return (
      <Entrance
        title={t('Reset your password')}
        help={t('Enter your email and we will send you a link to set a new password.')}
      >
        <div key="reset" className={hasMoved ? parts.slideForth : undefined}>
          <Suspense fallback={null}>
            <ResetPanel label={t('Reset your password')} onBack={() => turnTo('sign-in')} />
          </Suspense>
        </div>
      </Entrance>
    )
  if (asked)
    return (
      <Entrance title={t('Confirm that it is you')} help={t('Your account requires a second factor.')}>
        <Suspense fallback={null}>
          <SecondStep
            asked={asked}
            finish={finishSignIn}
            onSignedIn={() => proceed()}
            onBack={() => setAsked(undefined)}
          />
        </Suspense>
      </Entrance>
    )
  return (
    <Entrance title={t('Sign in')} help={t(portalSession.whyOver() || 'Welcome back. Enter your details to continue.')}>
      <div key="sign-in" className={`${parts.panel} ${hasMoved ? parts.slideBack : ''}`}>
        <SignInForm
          key={chosen?.email}
          label={t('Sign in')}
          signIn={signInMember}
          prefilled={chosen}
          passwordCharsMax={settings.data?.password_chars_max}
          onSignedIn={proceed}
        />
        <button type="button" className={parts.forgot} onClick={() => turnTo('reset')}>
          {t('Forgot your password?')}
        </button>
        {settings.data?.demo && (
          <Suspense fallback={null}>
            <DemoSignIns onChoose={setChosen} />
          </Suspense>
        )}
      </div>
    </Entrance>
  )
}

export function ForgotPasswordPage() {
  return <LoginPage opensOn="reset" />
}

import { lazy, Suspense, useState } from 'react'
import type { Settings } from '../api/first-calls.ts'
import { rememberedBrand } from '../features/session/brand-memory.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { type Credentials, SignInForm } from '../features/session/sign-in-form.tsx'
import { finishSignIn, type SignedIn, signInMember } from '../features/session/sign-in-member.ts'
import { Boundary } from '../ui/feedback/boundary.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import { Entrance } from './entrance.tsx'
import parts from './pages/login-page.module.css'

const ResetPanel = lazy(async () => ({ default: (await import('./sign-in-panels.tsx')).MemberResetPanel }))
const SecondStep = lazy(async () => ({ default: (await import('./sign-in-panels.tsx')).MemberSecondStep }))
const DemoSignIns = lazy(async () => ({ default: (await import('./demo-sign-ins.tsx')).DemoSignIns }))

export type View = 'sign-in' | 'reset'

type SignInScreenProps = {
  opensOn: View
  /** Undefined until the server has answered. */
  settings: Settings | undefined
  /** Navigates to a page of the portal. */
  onGo: (href: string) => void
}

/** One screen with two panels: sign-in and password reset. */
export function SignInScreen({ opensOn, settings, onGo }: SignInScreenProps) {
  const { t } = useTranslation()
  const brand = settings?.brand ?? rememberedBrand()
  const [view, setView] = useState<View>(opensOn)
  // The first panel appears without a slide animation.
  const [hasMoved, setMoved] = useState(false)
  const [chosen, setChosen] = useState<Credentials>()
  const [asked, setAsked] = useState<SignedIn['asked']>()
  const [whyBack, setWhyBack] = useState<string>()
  const proceed = (outcome: SignedIn = {}) => {
    if (outcome.asked) setAsked(outcome.asked)
    else if (outcome.mustEnrol) onGo('/second-factor')
    else onGo(portalSession.takeTarget() ?? '/home/')
  }
  const turnTo = (next: View) => {
    setView(next)
    setMoved(true)
  }
  if (view === 'reset')
    return (
      <Entrance
        brand={brand}
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
      <Entrance brand={brand} title={t('Confirm that it is you')} help={t('Your account requires a second factor.')}>
        <Suspense fallback={null}>
          <SecondStep
            asked={asked}
            finish={finishSignIn}
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
    <Entrance
      brand={brand}
      title={t('Sign in')}
      help={t('Welcome back. Enter your details to continue.')}
      notice={whyBack ?? t(portalSession.whyOver())}
    >
      <div key="sign-in" className={hasMoved ? parts.slideBack : undefined} data-stack="xl">
        <SignInForm
          key={chosen?.email}
          label={t('Sign in')}
          signIn={signInMember}
          prefilled={chosen}
          passwordCharsMax={settings?.password_chars_max}
          onSignedIn={proceed}
        />
        <button type="button" className={parts.forgot} onClick={() => turnTo('reset')}>
          {t('Forgot your password?')}
        </button>
        {settings?.demo && (
          <Boundary fallback={null}>
            <Suspense fallback={null}>
              <DemoSignIns onChoose={setChosen} />
            </Suspense>
          </Boundary>
        )}
      </div>
    </Entrance>
  )
}

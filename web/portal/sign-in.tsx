import { useEffect, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { readSettings, type Settings } from '../api/first-calls.ts'
import { report } from '../api/log.ts'
import { watchReturns } from '../api/session-store.ts'
import { call, startTransport } from '../api/transport.ts'
import { rememberBrand, rememberedBrand } from '../features/session/brand-memory.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { NoticesPlace } from '../ui/feedback/notices-place.tsx'
import { leaveFor, leaveForGood, reloadPage } from '../ui/forms/leave-page.ts'
import { mount, Root } from '../ui/layout/root.tsx'
import { SignInScreen } from './sign-in-screen.tsx'

/** A page of its own, without router and queries: everybody's first, and most often on a phone that knows nothing of us yet. */
const opensOn = location.pathname.startsWith('/forgot-password') ? 'reset' : 'sign-in'
const againMs = 1_000

async function fetchSettings(): Promise<Settings> {
  const ask = async () => (await call(readSettings, {})).settings
  return ask().catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.isPassing)) throw error
    await new Promise((resolve) => setTimeout(resolve, againMs))
    return ask()
  })
}

function SignInPage({ answer }: { answer: Promise<Settings | undefined> }) {
  const [settings, setSettings] = useState<Settings>()
  const [isAnswered, setAnswered] = useState(false)
  useEffect(() => {
    void answer.then((settings) => {
      setSettings(settings)
      setAnswered(true)
    })
  }, [answer])
  const brand = settings?.brand ?? rememberedBrand()
  // Only the very first visit waits for the brand; a page that changes its colour before one's eyes looks broken.
  if (!brand && !isAnswered) return null
  return (
    <Root accent={brand?.accent}>
      <SignInScreen opensOn={opensOn} settings={settings} onGo={leaveFor} />
      <NoticesPlace />
    </Root>
  )
}

if (portalSession.read() && opensOn === 'sign-in') leaveForGood('/home/')
else {
  startTransport({ session: portalSession, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  watchReturns(portalSession, reloadPage)
  const answer = fetchSettings().then(
    (settings) => {
      rememberBrand(settings.brand)
      return settings
    },
    (error: unknown) => {
      report('settings.failed', { error: String(error) })
      return undefined
    },
  )
  mount(<SignInPage answer={answer} />, (error) => report('screen.failed', { error: String(error) }))
}

import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { readSettings, type Settings } from '../api/first-calls.ts'
import { report } from '../api/log.ts'
import { watchReturns } from '../api/session-store.ts'
import { call, startTransport } from '../api/transport.ts'
import { type Brand, rememberBrand, rememberedBrand } from '../features/session/brand-memory.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { Boundary } from '../ui/feedback/boundary.tsx'
import { ToastContainer } from '../ui/feedback/toast-container.tsx'
import { leaveForGood, reloadPage } from '../ui/forms/leave-page.ts'
import { mount, Root } from '../ui/layout/root.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import { Entrance } from './entrance.tsx'
import parts from './pages/login-page.module.css'
import { SignInScreen } from './sign-in-screen.tsx'

/** A separate page without router and queries, since it is the first page for everyone, usually on a phone with an empty cache. */
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
  // Only the first visit waits for the brand, so that the page does not change its colour after it is displayed.
  if (!brand && !isAnswered) return null
  return (
    <Root accent={brand?.accent}>
      <Boundary fallback={<FailedEntrance brand={brand} />}>
        <SignInScreen opensOn={opensOn} settings={settings} onGo={leaveForGood} />
      </Boundary>
      <ToastContainer />
    </Root>
  )
}

/** The equivalent of FailedPage for a page without a router. */
function FailedEntrance({ brand }: { brand: Brand | null }) {
  const { t } = useTranslation()
  return (
    <Entrance brand={brand} title={t('We couldn\u2019t load this')}>
      <p role="alert" className={parts.help}>
        {t(texts.sectionMissing)}
      </p>
      <Button onClick={reloadPage}>{t('Try again')}</Button>
    </Entrance>
  )
}

if (portalSession.read() && opensOn === 'sign-in') leaveForGood('/home/')
else {
  startTransport({ session: portalSession, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  watchReturns(portalSession, reloadPage, { isEntrance: true })
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

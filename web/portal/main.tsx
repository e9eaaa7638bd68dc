import { fetchScreen } from '../api/early-screen.ts'
import { report } from '../api/log.ts'
import { watchReturns } from '../api/session-store.ts'
import { startTransport } from '../api/transport.ts'
import { BrandedApp } from '../features/session/branded-app.tsx'
import { askForSession } from '../features/session/early-session.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { reloadPage } from '../ui/forms/leave-page.ts'
import { mount } from '../ui/layout/root.tsx'
import { prepareFormats } from '../ui/text/format.ts'
import { openRouter } from './routes.tsx'
import { leave } from './session-gate.ts'

startTransport({
  session: portalSession,
  onSignedOut: () => leave(openRouter(), { isRemembering: true }),
  onMustEnrol: () => openRouter().navigate({ to: '/second-factor' }),
})
watchReturns(portalSession, reloadPage)
if (portalSession.read()) askForSession()
setTimeout(() => {
  const router = openRouter()
  if (portalSession.read()) fetchScreen(router)
  mount(<BrandedApp router={router} />, (error) => report('screen.failed', { error: String(error) }))
  if (portalSession.read()) prepareFormats()
})

import './density.css'
import { fetchScreen } from '../api/early-screen.ts'
import { report } from '../api/log.ts'
import { watchReturns } from '../api/session-store.ts'
import { prefetchCall, startTransport } from '../api/transport.ts'
import { deskSession } from '../features/desk-session/desk-session.ts'
import { readDeskUser } from '../features/desk-session/read-desk-user.ts'
import { BrandedApp } from '../features/session/branded-app.tsx'
import { reloadPage } from '../ui/forms/leave-page.ts'
import { mount } from '../ui/layout/root.tsx'
import { prepareFormats } from '../ui/text/format.ts'
import { router } from './routes.tsx'
import { leave } from './session-gate.ts'

startTransport({
  session: deskSession,
  onSignedOut: () => leave(router, { isRemembering: true }),
  onMustEnrol: () => router.navigate({ to: '/second-factor' }),
})
watchReturns(deskSession, reloadPage)
if (deskSession.read()) {
  prefetchCall(readDeskUser.path)
  fetchScreen(router)
}
mount(<BrandedApp router={router} />, (error) => report('screen.failed', { error: String(error) }))
if (deskSession.read()) prepareFormats()

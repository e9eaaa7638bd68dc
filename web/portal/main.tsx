import { startTransport } from '../api/transport.ts'
import { portalSession } from '../features/session/session.ts'
import { mount } from '../ui/root.tsx'
import { App } from './app.tsx'
import { router } from './routes.tsx'
import { leave } from './session-gate.ts'

startTransport({ session: portalSession, onSignedOut: () => leave(router, { isRemembering: true }) })
mount(<App />)

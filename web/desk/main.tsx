import './density.css'
import { startTransport } from '../api/transport.ts'
import { deskSession } from '../features/desk-session/desk-session.ts'
import { mount } from '../ui/root.tsx'
import { App } from './app.tsx'
import { router } from './routes.tsx'
import { leave } from './session-gate.ts'

startTransport({ session: deskSession, onSignedOut: () => leave(router, { isRemembering: true }) })
mount(<App />)

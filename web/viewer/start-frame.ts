import { startTransport } from '../api/transport.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { signedOut } from './signed-out.ts'

/**
 * The frame shares the portal's session through the storage of the tab, and never clears it: without the token, the page
 * around it would not take the refusal of its own next call for the end of its session, and would stay as it is.
 */
export function startFrame(): void {
  startTransport({
    session: { ...portalSession, clear: () => undefined },
    onSignedOut: signedOut.announce,
    onMustEnrol: signedOut.announce,
  })
}

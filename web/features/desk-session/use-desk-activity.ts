import { deskActivity } from '@atrium/contract/sessions/desk-calls.ts'
import { useEffect, useRef } from 'react'
import { report } from '../../api/log.ts'
import { call } from '../../api/transport.ts'

const pingEveryMs = 300_000

/**
 * Reports activity to the server every five minutes, but only after a key press or pointer event: an unattended screen still
 * refreshes its lists, yet its session expires.
 */
export function useDeskActivity(): void {
  const wasUsed = useRef(false)
  useEffect(() => {
    const noteUse = () => {
      wasUsed.current = true
    }
    const ping = () => {
      if (!wasUsed.current || document.visibilityState === 'hidden') return
      wasUsed.current = false
      // The next report replaces a lost one. Without a session the transport redirects to sign-in.
      call(deskActivity, {}, { isQuiet: true }).catch((error: unknown) =>
        report('activity.failed', { error: String(error) }),
      )
    }
    const events = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
    for (const event of events) document.addEventListener(event, noteUse, { passive: true })
    const timer = setInterval(ping, pingEveryMs)
    return () => {
      clearInterval(timer)
      for (const event of events) document.removeEventListener(event, noteUse)
    }
  }, [])
}

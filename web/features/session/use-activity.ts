import { useEffect } from 'react'
import { reportActivity } from '../../api/first-calls.ts'
import { report } from '../../api/log.ts'
import { call } from '../../api/transport.ts'
import { createThrottle } from './throttle.ts'

/** The specification allows one a second; the server writes one a minute down, so this is often enough. */
const pingEveryMs = 10_000

const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** Tells the server that somebody is here, and only then: lists that refresh by themselves keep no session alive. */
export function useActivity(): void {
  useEffect(() => {
    const isDue = createThrottle(pingEveryMs)
    const note = (event: Event) => {
      if (!isDue(event.timeStamp)) return
      // The next sign of life makes up for a lost one. Without a session the transport leads to the sign-in.
      call(reportActivity, { mouse: event.type === 'pointermove' }, { isQuiet: true }).catch((error: unknown) =>
        report('activity.failed', { error: String(error) }),
      )
    }
    for (const sign of signs) document.addEventListener(sign, note, { passive: true, capture: true })
    return () => {
      for (const sign of signs) document.removeEventListener(sign, note, { capture: true })
    }
  }, [])
}

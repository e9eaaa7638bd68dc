import { useEffect } from 'react'
import { reportActivity } from '../../api/first-calls.ts'
import { report } from '../../api/log.ts'
import { call } from '../../api/transport.ts'
import { createThrottle } from './throttle.ts'

/** The specification allows one per second; the server stores one per minute, so this is frequent enough. */
const pingEveryMs = 10_000

const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** Reports real user activity only: lists that refresh by themselves must not extend a session. */
export function useActivity(): void {
  useEffect(() => {
    const isDue = createThrottle(pingEveryMs)
    const note = (event: Event) => {
      if (!isDue(event.timeStamp)) return
      // The next report replaces a lost one. Without a session the transport opens the sign-in.
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

import { deskActivity } from '@atrium/contract/staff/calls.ts'
import { useEffect, useRef } from 'react'
import { report } from '../../api/log.ts'
import { call } from '../../api/transport.ts'

const tellEveryMs = 300_000

/**
 * Tells the server that somebody is here, every five minutes and only when there was a key or a pointer since the last
 * time: a screen left alone refreshes its lists, and idles out all the same.
 */
export function useSignOfLife(): void {
  const wasUsed = useRef(false)
  useEffect(() => {
    const noteUse = () => {
      wasUsed.current = true
    }
    const tell = () => {
      if (!wasUsed.current || document.visibilityState === 'hidden') return
      wasUsed.current = false
      // The next one makes up for a lost one. Without a session the transport leads to the sign-in.
      call(deskActivity, {}, { isQuiet: true }).catch((error: unknown) =>
        report('activity.failed', { error: String(error) }),
      )
    }
    const events = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
    for (const event of events) document.addEventListener(event, noteUse, { passive: true })
    const timer = setInterval(tell, tellEveryMs)
    return () => {
      clearInterval(timer)
      for (const event of events) document.removeEventListener(event, noteUse)
    }
  }, [])
}

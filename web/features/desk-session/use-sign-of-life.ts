import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { deskUserFreshMs, deskUserQuery } from './desk-session.ts'

/**
 * Tells the server that somebody is here, every five minutes and only when there was a key or a pointer since the last
 * time: a screen left alone refreshes its lists, and idles out all the same.
 */
export function useSignOfLife(): void {
  const queryClient = useQueryClient()
  const wasUsed = useRef(false)
  useEffect(() => {
    const noteUse = () => {
      wasUsed.current = true
    }
    const tell = () => {
      if (!wasUsed.current || document.visibilityState === 'hidden') return
      wasUsed.current = false
      // A failure is not lost: without a session the transport leads to the sign-in.
      queryClient.invalidateQueries({ queryKey: deskUserQuery.queryKey })
    }
    const events = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
    for (const event of events) document.addEventListener(event, noteUse, { passive: true })
    const timer = setInterval(tell, deskUserFreshMs)
    return () => {
      clearInterval(timer)
      for (const event of events) document.removeEventListener(event, noteUse)
    }
  }, [queryClient])
}

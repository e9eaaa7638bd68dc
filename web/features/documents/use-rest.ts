import { useCallback, useEffect, useState } from 'react'

/** A countdown in seconds; `begin` restarts it. */
export function useRest(restMs: number): { seconds: number; begin: () => void } {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(() => Date.now())
  const isResting = until > now
  useEffect(() => {
    if (!isResting) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isResting])
  const begin = useCallback(() => {
    const started = Date.now()
    setNow(started)
    setUntil(started + restMs)
  }, [restMs])
  return { seconds: isResting ? Math.ceil((until - now) / 1_000) : 0, begin }
}

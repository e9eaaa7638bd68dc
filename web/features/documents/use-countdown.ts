import { useCallback, useEffect, useState } from 'react'

/** A countdown in seconds; `start` restarts it. */
export function useCountdown(durationMs: number): { seconds: number; start: () => void } {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(() => Date.now())
  const isRunning = until > now
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isRunning])
  const start = useCallback(() => {
    const started = Date.now()
    setNow(started)
    setUntil(started + durationMs)
  }, [durationMs])
  return { seconds: isRunning ? Math.ceil((until - now) / 1_000) : 0, start }
}

/**
 * Runs `round` immediately and then periodically, skipping a run while the previous one continues; the round reports
 * its own errors. Returns a function that stops it.
 */
export function startRounds(everyMs: number, round: () => Promise<void>): () => void {
  let isRunning = false
  const go = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    try {
      await round()
    } finally {
      isRunning = false
    }
  }
  void go()
  const timer = setInterval(() => void go(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Does it now and again and again. A round that is due while the one before still goes on is left out: on top of each other they
 * would only make each other slower. Answers how to stop. What fails is told by the round itself.
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

import { useState } from 'react'

type Attempt<Outcome> = { onDone: (outcome: Outcome) => void; onFailed: () => void }

/** One try at a time, and what it failed by: all that the sign-in page needs of a library for changes. */
export function useAttempt<Given, Outcome>(
  attempt: (given: Given) => Promise<Outcome>,
  { onDone, onFailed }: Attempt<Outcome>,
) {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  return {
    isPending,
    error,
    forget: () => setError(null),
    async start(given: Given): Promise<void> {
      setPending(true)
      setError(null)
      try {
        onDone(await attempt(given))
        // It stays pending: whoever is in goes elsewhere, and presses nothing twice on the way.
      } catch (thrown) {
        setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
        setPending(false)
        onFailed()
      }
    },
  }
}

import { useState } from 'react'

type Attempt<Outcome> = { onDone: (outcome: Outcome) => void; onFailed: () => void }

/** The pending state and error of one attempt: all that the sign-in page needs of a mutation library. */
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
        // The attempt stays pending: the page is left after success, and a second submit must not happen before that.
      } catch (thrown) {
        setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
        setPending(false)
        onFailed()
      }
    },
  }
}

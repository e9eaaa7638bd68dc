/**
 * One token for one filled form. The same form sent again, because no answer came or a button was pressed twice, goes with
 * the same token and is the same deposit; a form that was changed in between is another one and gets its own.
 */
export type NonceKeeper = {
  tokenFor: (body: unknown) => Promise<string>
  /** For a token that the server does not take any more. */
  forget: () => void
}

export function createNonceKeeper(fetchToken: () => Promise<string>): NonceKeeper {
  let kept: { body: string; token: Promise<string> } | null = null
  return {
    async tokenFor(body) {
      const text = JSON.stringify(body)
      if (kept?.body !== text) kept = { body: text, token: fetchToken() }
      const mine = kept
      try {
        return await mine.token
      } catch (error) {
        // A token that never came must not be waited for again.
        if (kept === mine) kept = null
        throw error
      }
    },
    forget() {
      kept = null
    },
  }
}

/** A short marker of the pending terms from the last answer; null until an answer carries one. */
let latest: string | null = null

/** Answers without a session carry no terms header. */
export function recordTerms(header: string | null): void {
  if (header !== null) latest = header
}

export function latestTermsDigest(): string | null {
  return latest
}

/** A short marker of the pending terms from the last answer; null until an answer carries one. */
let told: string | null = null

/** Answers without a session carry no terms header. */
export function recordTerms(header: string | null): void {
  if (header !== null) told = header
}

export function toldTerms(): string | null {
  return told
}

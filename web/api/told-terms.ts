/** What the last answer said of the terms that are pending, in a few characters; null while none said anything. */
let told: string | null = null

/** Answers to nobody in particular say nothing of terms. */
export function recordTerms(header: string | null): void {
  if (header !== null) told = header
}

export function toldTerms(): string | null {
  return told
}

/**
 * The code of the link that opened this page. In memory only, so that neither the address, the history nor the storage
 * of a shared machine reveals it.
 */
let kept: string | null = null

export function keepResetCode(code: string): void {
  kept = code
}

export function readResetCode(): string | null {
  return kept
}

export function forgetResetCode(): void {
  kept = null
}

/**
 * The code of the link that this page was opened by. Kept in memory alone: the address, the history and the storage of a
 * shared machine must not be able to set somebody's password.
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

/**
 * The code of the link that opened this page. In memory only, so that neither the address, the history nor the storage
 * of a shared machine reveals it.
 */
let current: string | null = null

export function keepResetCode(code: string): void {
  current = code
}

export function readResetCode(): string | null {
  return current
}

export function forgetResetCode(): void {
  current = null
}

/**
 * Reports non-fatal failures as an event that an error collector can listen to. It does not use the console, where members
 * would see it.
 */
export function report(event: string, details: Record<string, unknown> = {}): void {
  globalThis.dispatchEvent?.(new CustomEvent('atrium:report', { detail: { at: Date.now(), event, details } }))
}

/**
 * One place for what went wrong without stopping anybody: an event that whoever collects such things may listen to. Not
 * the console, where members would find it.
 */
export function report(event: string, details: Record<string, unknown> = {}): void {
  globalThis.dispatchEvent?.(new CustomEvent('atrium:report', { detail: { at: Date.now(), event, details } }))
}

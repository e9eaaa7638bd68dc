import type { Counts } from './test-reporter.ts'

export function closingLine({ passed, failed, skipped }: Counts) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** A skipped or postponed test proves nothing, and a run without any proves nothing either. */
export function isGreen({ passed, failed, skipped }: Counts) {
  return failed === 0 && skipped === 0 && passed > 0
}

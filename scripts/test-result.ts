import type { Counts, Result } from './test-reporter.ts'

/** What was red once more by name, since it stands far above, and the counts as the very last line. */
export function closingLines({ reds, ...counts }: Result) {
  return [...reds.map((red) => `✖ ${red}`), closingLine(counts)].join('\n')
}

export function closingLine({ passed, failed, skipped }: Counts) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** A skipped or postponed test proves nothing, and a run without any proves nothing either. */
export function isGreen({ passed, failed, skipped }: Counts) {
  return failed === 0 && skipped === 0 && passed > 0
}

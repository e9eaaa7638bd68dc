import type { Counts, FileReport, Result } from './test-pool.ts'

/** Repeats the failures by name, since they are far above, and ends with the counts. */
export function closingLines({ reds, ...counts }: Result) {
  return [...reds.map((red) => `✖ ${red}`), closingLine(counts)].join('\n')
}

export function closingLine({ passed, failed, skipped }: Counts) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** A skipped or todo test proves nothing, and neither does a run without tests. */
export function isGreen({ passed, failed, skipped }: Counts) {
  return failed === 0 && skipped === 0 && passed > 0
}

/** The slowest files of a run. */
export function slowest(reports: readonly FileReport[], most = 10) {
  if (reports.length <= most) return ''
  const first = reports.toSorted((one, other) => other.wallMs - one.wallMs).slice(0, most)
  const lines = first.map(
    ({ file, wallMs, cpuMs }) => `  ${inSeconds(wallMs)} s (${inSeconds(cpuMs)} s of a core)  ${file}`,
  )
  return ['The slowest files:', ...lines].join('\n')
}

/** CPU time limit of an everyday test file on the reference machine (docs/developers/testing.md). */
export const everydayCpuMs = 15_000

export function tooExpensive(reports: readonly FileReport[], most = everydayCpuMs): string[] {
  return reports.filter(({ cpuMs, slowness }) => cpuMs / slowness > most).map(({ file }) => file)
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(1)

import type { Counts, FileReport, Result } from './test-pool.ts'

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

/** Where the time of a run went, for whoever has to make it shorter. */
export function slowest(reports: readonly FileReport[], most = 10) {
  if (reports.length <= most) return ''
  const first = reports.toSorted((one, other) => other.wallMs - one.wallMs).slice(0, most)
  const lines = first.map(
    ({ file, wallMs, cpuMs }) => `  ${inSeconds(wallMs)} s (${inSeconds(cpuMs)} s of a core)  ${file}`,
  )
  return ['The slowest files:', ...lines].join('\n')
}

/** Of a core of the reference machine (docs/developers/testing.md): what takes more keeps everybody from running the everyday proof. */
export const everydayCpuMs = 15_000

export function tooExpensive(reports: readonly FileReport[], most = everydayCpuMs): string[] {
  return reports.filter(({ cpuMs, slowness }) => cpuMs / slowness > most).map(({ file }) => file)
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(1)

import { readFileSync } from 'node:fs'

export type Measured = { name: string; ratio: number }
export type Band = Measured & { low: number; high: number }
export type Judged = { line: string; isInside: boolean }

const measured: Measured[] = []

/** A ratio of two measurements in the same run on the same machine does not depend on the speed of the machine. */
export function reportRatio(name: string, ratio: number): void {
  measured.push({ name, ratio })
}

export const takeMeasured = (): readonly Measured[] => measured

export function readBands(): Band[] {
  return JSON.parse(readFileSync(new URL('./ratios.json', import.meta.url), 'utf8')) as Band[]
}

/**
 * A ratio better than its band fails too: either the band is outdated, or the baseline did nothing. A ratio without a band, or one
 * that is not a number, proves nothing and fails as well.
 */
export function judgeRatios(found: readonly Measured[], bands: readonly Band[]): Judged[] {
  return found.map(({ name, ratio }) => {
    const band = bands.find((each) => each.name === name)
    const isInside = band !== undefined && ratio >= band.low && ratio <= band.high
    const baseline = band
      ? `was ${band.ratio}, band ${band.low} to ${band.high}`
      : 'has no band in bench/measure/ratios.json'
    return { line: `${name.padEnd(44)} ${ratio.toFixed(3)}   ${baseline}${isInside ? '' : '   OUTSIDE'}`, isInside }
  })
}

import { readFileSync } from 'node:fs'

export type Measured = { name: string; ratio: number }
export type Band = Measured & { low: number; high: number }
export type Judged = { line: string; isInside: boolean }

const measured: Measured[] = []

/** Of two things in the same run on the same machine: what does not depend on how fast that machine is. */
export function reportRatio(name: string, ratio: number): void {
  measured.push({ name, ratio })
}

export const takeMeasured = (): readonly Measured[] => measured

export function readBands(): Band[] {
  return JSON.parse(readFileSync(new URL('./ratios.json', import.meta.url), 'utf8')) as Band[]
}

/**
 * Better than its band is outside of it, too: either the band is old, or what it is compared with has done nothing. A ratio without a
 * band, or one that is no number, proves nothing and fails as well.
 */
export function judgeRatios(found: readonly Measured[], bands: readonly Band[]): Judged[] {
  return found.map(({ name, ratio }) => {
    const band = bands.find((each) => each.name === name)
    const isInside = band !== undefined && ratio >= band.low && ratio <= band.high
    const told = band ? `was ${band.ratio}, band ${band.low} to ${band.high}` : 'has no band in bench/ratios.json'
    return { line: `${name.padEnd(44)} ${ratio.toFixed(3)}   ${told}${isInside ? '' : '   OUTSIDE'}`, isInside }
  })
}

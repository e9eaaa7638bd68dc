import { limits } from '@atrium/contract/limits.ts'

/** The abbreviated count of a staff list, capped where counting stopped: "12", "1.2K", "10K+". */
export function countShown(count: number, language: string): string {
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  return count >= limits.countedMax ? `${short.format(limits.countedMax)}+` : short.format(count)
}

/** China time is UTC+8 all year, without daylight saving: `2024-07-01 11:04:10`. */
export const chinaTime = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

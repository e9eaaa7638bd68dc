const dayMs = 86_400_000

/** A day of a filter, `yyyy-mm-dd`, begins and ends in UTC. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00Z`)
export const endOfDay = (day: string): Date => new Date(startOfDay(day).getTime() + dayMs)

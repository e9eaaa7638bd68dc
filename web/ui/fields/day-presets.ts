/** What was picked of a span so far; empty is not yet. */
export type PickedSpan = { from?: string | undefined; to?: string | undefined }
export type DayPreset = { label: string; from: string; to: string }

const at = (day: string) => new Date(`${day}T00:00:00Z`)
const textOf = (date: Date) => date.toISOString().slice(0, 10)

function daysBefore(day: string, count: number): string {
  const date = at(day)
  date.setUTCDate(date.getUTCDate() - count)
  return textOf(date)
}

/** Day 0 is the last one of the month before. */
function dayOfMonth(day: string, months: number, date: number): string {
  const first = at(day)
  return textOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months, date)))
}

/** What a single day is mostly. */
export const dayPresets = (today: string): DayPreset[] => [{ label: 'Today', from: today, to: today }]

/** What a list is mostly narrowed to, whole days with today among them. */
export function spanPresets(today: string): DayPreset[] {
  const yesterday = daysBefore(today, 1)
  return [
    { label: 'Today', from: today, to: today },
    { label: 'Yesterday', from: yesterday, to: yesterday },
    { label: 'Last 7 days', from: daysBefore(today, 6), to: today },
    { label: 'Last 30 days', from: daysBefore(today, 29), to: today },
    { label: 'This month', from: dayOfMonth(today, 0, 1), to: today },
    { label: 'Last month', from: dayOfMonth(today, -1, 1), to: dayOfMonth(today, 0, 0) },
    { label: 'This year', from: `${today.slice(0, 4)}-01-01`, to: today },
  ]
}

/** The first or last day of a span, or one between them, as the calendar marks it. */
export function placeInSpan({ from, to }: PickedSpan, day: string) {
  if (!from || !to || from > to) return {}
  return { inRange: day >= from && day <= to, firstInRange: day === from, lastInRange: day === to }
}

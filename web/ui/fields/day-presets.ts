/** The days of a span picked so far; empty means not yet picked. */
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

/** Frequent choices of a single day. */
export const dayPresets = (today: string): DayPreset[] => [{ label: 'Today', from: today, to: today }]

/** Frequent spans of a filter, in whole days including today. */
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

/** The position of a day in a span, for the calendar: first, last or between. */
export function placeInSpan({ from, to }: PickedSpan, day: string) {
  if (!from || !to || from > to) return {}
  return { inRange: day >= from && day <= to, firstInRange: day === from, lastInRange: day === to }
}

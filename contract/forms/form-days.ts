import { isDay } from '../validators/dates.ts'

/** Resolves a day, or one relative to today: `today`, `today-18y`, `today+30d`. Null for no text and for invalid text. */
export function dayFrom(text: string | undefined, today: string): string | null {
  if (text === undefined) return null
  if (isDay(text)) return text
  const [whole, sign = '+', count = '0', unit = 'd'] = /^today(?:([+-])([0-9]{1,4})([dmy]))?$/.exec(text) ?? []
  if (whole === undefined || !isDay(today)) return null
  const by = Number(`${sign}${count}`)
  const day = unit === 'd' ? daysOn(today, by) : monthsOn(today, unit === 'y' ? by * 12 : by)
  return isDay(day) ? day : null
}

function daysOn(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** The same day of the other month, or its last: a month after 31 January is the end of February. */
function monthsOn(day: string, months: number): string {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number)
  const count = year * 12 + (month - 1) + months
  const written = (of: number) =>
    `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}-${String(of).padStart(2, '0')}`
  const found = [date, 30, 29, 28].map(written).find((text, at) => isDay(text) && (at === 0 || date > 28))
  return found ?? ''
}

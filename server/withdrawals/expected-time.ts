import type { WithdrawalSettings } from '@atrium/contract/withdrawals/calls.ts'

type CutOff = WithdrawalSettings['withdrawal_cut_off']
type Day = { year: number; month: number; day: number }

const dayMs = 86_400_000
/** The end of a working day for banks that count in days. */
const endOfDay = '18:00'

/**
 * When a withdrawal requested now is expected to arrive, and until when that is valid. Weekends are not working days.
 */
export function expectedTime(now: Date, rule: CutOff): { cutOff: Date; from: Date; until: Date } {
  const today = dayIn(now, rule.zone)
  const isToday = isWorkday(today) && now < momentOf(today, rule.time, rule.zone)
  const first = isToday ? today : nextWorkday(today)
  const from = momentOf(workdaysAfter(first, rule.days_min), endOfDay, rule.zone)
  const until = momentOf(workdaysAfter(first, rule.days_max), endOfDay, rule.zone)
  return { cutOff: momentOf(first, rule.time, rule.zone), from, until }
}

const dateOf = ({ year, month, day }: Day) => new Date(Date.UTC(year, month - 1, day))

function isWorkday(day: Day): boolean {
  return ![0, 6].includes(dateOf(day).getUTCDay())
}

function nextWorkday(day: Day): Day {
  const date = new Date(dateOf(day).getTime() + dayMs)
  const next = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  return isWorkday(next) ? next : nextWorkday(next)
}

function workdaysAfter(day: Day, count: number): Day {
  return count === 0 ? day : workdaysAfter(nextWorkday(day), count - 1)
}

function dayIn(moment: Date, zone: string): Day {
  const parts = new Map(partsOf(moment, zone).map(({ type, value }) => [type, Number(value)]))
  return { year: parts.get('year') ?? 0, month: parts.get('month') ?? 1, day: parts.get('day') ?? 1 }
}

function partsOf(moment: Date, zone: string): Intl.DateTimeFormatPart[] {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  return new Intl.DateTimeFormat('en-u-hc-h23', { ...fields, second: 'numeric', timeZone: zone }).formatToParts(moment)
}

/** The zone's offset from UTC at that time. */
function offsetMs(moment: Date, zone: string): number {
  const parts = new Map(partsOf(moment, zone).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return shown - Math.floor(moment.getTime() / 1000) * 1000
}

/** The instant of a local time in the zone. Computed twice, because the first guess may lie across a clock change. */
function momentOf(day: Day, time: string, zone: string): Date {
  const [hour = '0', minute = '0'] = time.split(':')
  const shown = dateOf(day).getTime() + (Number(hour) * 60 + Number(minute)) * 60_000
  const guess = new Date(shown - offsetMs(new Date(shown), zone))
  return new Date(shown - offsetMs(guess, zone))
}

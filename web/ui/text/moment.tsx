import { day, exactTime, relativeTime, time } from './format.ts'
import parts from './moment.module.css'

/** Day and time in two tones, stacked in a narrow column; the exact moment on hover. */
export function Moment({ at, isStacked = false }: { at: number; isStacked?: boolean }) {
  return (
    <time
      dir="auto"
      className={`${parts.moment} ${isStacked ? parts.stacked : ''}`}
      dateTime={new Date(at).toISOString()}
      title={exactTime(at)}
    >
      {day(at)}
      <span className={parts.time}>{time(at)}</span>
    </time>
  )
}

/** "12 minutes ago" for less than a day, then the date. */
export function Ago({ at }: { at: number }) {
  return (
    <time dir="auto" className={parts.moment} dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {relativeTime(at) ?? day(at)}
    </time>
  )
}

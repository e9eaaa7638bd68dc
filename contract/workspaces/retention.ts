import { z } from 'zod'
import { deskTexts } from '../staff/texts.ts'

const days = ({ min, max }: { min: number; max: number }, error: string) =>
  z.int({ error }).min(min, error).max(max, error)

/**
 * Retention in days where the brokerage may choose: default and bounds. The names are those of the settings.
 * docs/operators/retention.md lists every table, including those that are never pruned.
 */
export const chosenDays = {
  /** Raw messages of payment providers and identity vendors. The records made from them stay. */
  notification_days: { usual: 90, min: 7, max: 3_650 },
  /** After the session's end. Longer than a password reset link (`fixedDays`), so that its origin can be looked up. */
  session_days: { usual: 90, min: 30, max: 3_650 },
  /** After delivery or giving up. A delivered mail keeps only its recipient and time. */
  mail_days: { usual: 90, min: 7, max: 3_650 },
  /** Longer than any reminder looks ahead: an existing notification prevents a second one of the same event. */
  notice_days: { usual: 400, min: 90, max: 3_650 },
  /** After the last edit. */
  draft_days: { usual: 90, min: 7, max: 3_650 },
  /** After the member's erasure: identification and agreements. The law requires five to ten years. */
  paper_days: { usual: 3_650, min: 365, max: 18_250 },
} as const

export type ChosenTime = keyof typeof chosenDays
export const chosenTimes = Object.keys(chosenDays) as ChosenTime[]

export const chosenDaysShape = {
  notification_days: days(chosenDays.notification_days, deskTexts.retentionDays),
  session_days: days(chosenDays.session_days, deskTexts.sessionDays),
  mail_days: days(chosenDays.mail_days, deskTexts.retentionDays),
  notice_days: days(chosenDays.notice_days, deskTexts.notificationDays),
  draft_days: days(chosenDays.draft_days, deskTexts.retentionDays),
  paper_days: days(chosenDays.paper_days, deskTexts.kycDocumentDays),
}

/** For reading: defaults where nothing is chosen, or where the previous version does not send a value. */
export const knownDaysShape = {
  notification_days: chosenDaysShape.notification_days.default(chosenDays.notification_days.usual),
  session_days: chosenDaysShape.session_days.default(chosenDays.session_days.usual),
  mail_days: chosenDaysShape.mail_days.default(chosenDays.mail_days.usual),
  notice_days: chosenDaysShape.notice_days.default(chosenDays.notice_days.usual),
  draft_days: chosenDaysShape.draft_days.default(chosenDays.draft_days.usual),
  paper_days: chosenDaysShape.paper_days.default(chosenDays.paper_days.usual),
}

/** Retention that no brokerage can change: it serves security, or limits what a page shows. */
export const fixedDays = {
  /** After the last use. Longer than usual absences; sign-in attempts are counted per device (decision 0014). */
  known_devices: 180,
  password_resets: 28,
  /** The job takes seconds; a request that is open after a day will never be answered. */
  reset_requests: 1,
  /** After upload, without a reference. */
  unused_files: 1,
  /** Every reading at first, later one an hour, then one a day. */
  figures_of_minutes: 8,
  figures_of_hours: 100,
  /** The queue removes its own jobs; this is its default. */
  ended_jobs: 7,
} as const

export type FixedTime = keyof typeof fixedDays
export const fixedTimes = Object.keys(fixedDays) as FixedTime[]

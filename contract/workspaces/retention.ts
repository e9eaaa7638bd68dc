import { z } from 'zod'
import { deskTexts } from '../staff/texts.ts'

const days = ({ min, max }: { min: number; max: number }, error: string) =>
  z.int({ error }).min(min, error).max(max, error)

/**
 * For how many days what comes and goes is kept, as far as a brokerage decides: what stands by default, and what it may set. The
 * names are those of its settings. docs/operators/retention.md has a line for every table, also for those that nothing is taken out of.
 */
export const chosenDays = {
  /** As payment providers and identity vendors sent it. What was made of it stays. */
  notification_days: { usual: 90, min: 7, max: 3_650 },
  /** After they ended. Longer than a link that sets a password (`fixedDays`), so that what led to one can be looked up. */
  session_days: { usual: 90, min: 30, max: 3_650 },
  /** After they went or were given up: to whom and when. What they say is gone with that moment. */
  mail_days: { usual: 90, min: 7, max: 3_650 },
  /** Longer than any reminder looks ahead: what was told once is not told again while its notice is there. */
  notice_days: { usual: 400, min: 90, max: 3_650 },
  /** After the last stroke. */
  draft_days: { usual: 90, min: 7, max: 3_650 },
  /** After their member was erased: by what they were identified, and what they agreed to. Law asks for five to ten years. */
  paper_days: { usual: 3_650, min: 365, max: 18_250 },
} as const

export type ChosenTime = keyof typeof chosenDays
export const chosenTimes = Object.keys(chosenDays) as ChosenTime[]

export const chosenDaysShape = {
  notification_days: days(chosenDays.notification_days, deskTexts.keptDays),
  session_days: days(chosenDays.session_days, deskTexts.sessionDays),
  mail_days: days(chosenDays.mail_days, deskTexts.keptDays),
  notice_days: days(chosenDays.notice_days, deskTexts.noticeDays),
  draft_days: days(chosenDays.draft_days, deskTexts.keptDays),
  paper_days: days(chosenDays.paper_days, deskTexts.kycDocumentDays),
}

/** As they are read, where nobody has chosen yet, or a process of the version before tells of its own alone. */
export const knownDaysShape = {
  notification_days: chosenDaysShape.notification_days.default(chosenDays.notification_days.usual),
  session_days: chosenDaysShape.session_days.default(chosenDays.session_days.usual),
  mail_days: chosenDaysShape.mail_days.default(chosenDays.mail_days.usual),
  notice_days: chosenDaysShape.notice_days.default(chosenDays.notice_days.usual),
  draft_days: chosenDaysShape.draft_days.default(chosenDays.draft_days.usual),
  paper_days: chosenDaysShape.paper_days.default(chosenDays.paper_days.usual),
}

/** What is the same everywhere: it holds for security, or for what a page can show. */
export const fixedDays = {
  /** After they were last used. Longer than people stay away; guesses are counted by them (decision 0014). */
  known_devices: 180,
  password_resets: 28,
  /** The job that answers one takes seconds; what is left after a day never will be answered. */
  reset_requests: 1,
  /** After they came, where nothing names them. */
  unused_files: 1,
  /** Each reading, then one an hour, then one a day. */
  figures_of_minutes: 8,
  figures_of_hours: 100,
  /** Jobs are the queue's own to remove; this is what it does unless told otherwise. */
  ended_jobs: 7,
} as const

export type FixedTime = keyof typeof fixedDays
export const fixedTimes = Object.keys(fixedDays) as FixedTime[]

import { notificationDays } from '@atrium/contract/desk-notifications.ts'
import { limits } from '@atrium/contract/limits.ts'
import { dailyAfterMs, hourlyAfterMs } from '../accounts/figure-history.ts'
import { unattachedForMs } from '../files/sweep.ts'
import { noticesKeptMs, settledKeptMs } from '../notifications/sweep.ts'
import { deviceKnownForMs } from '../sessions/known-device.ts'
import { endedSessionKeptMs, resetKeptMs, resetRequestKeptMs } from '../sessions/sweep.ts'
import { chooseNotificationDays, readNotificationDays } from '../workspaces/kept-times.ts'
import { type Command, UsageProblem, workspaceOf } from './command.ts'

const dayMs = 24 * 3_600_000

/** What is named in docs/retention.md beside the table (a test holds that page to it), for so many days `after` something. */
type FixedTime = { kind: string; table: string; days: number; after: string }

/** Jobs are the queue's own to remove; this is what it does unless told otherwise. */
const endedJobDays = 7

export const fixedTimes: readonly FixedTime[] = [
  { kind: 'sessions', table: 'sessions', days: endedSessionKeptMs / dayMs, after: 'they ended' },
  { kind: 'known-devices', table: 'known_devices', days: deviceKnownForMs / dayMs, after: 'they were last used' },
  { kind: 'password-resets', table: 'password_resets', days: resetKeptMs / dayMs, after: 'they were sent' },
  { kind: 'reset-requests', table: 'password_reset_requests', days: resetRequestKeptMs / dayMs, after: 'they came' },
  { kind: 'mails', table: 'mails', days: settledKeptMs / dayMs, after: 'they were delivered or given up' },
  { kind: 'notices', table: 'notices', days: noticesKeptMs / dayMs, after: 'they came' },
  { kind: 'form-drafts', table: 'form_drafts', days: limits.formDraftDays, after: 'the last stroke' },
  {
    kind: 'unused-files',
    table: 'media',
    days: unattachedForMs / dayMs,
    after: 'they came, unless something names them',
  },
  { kind: 'figures-of-minutes', table: 'account_figures', days: hourlyAfterMs / dayMs, after: 'they were read' },
  { kind: 'figures-of-hours', table: 'account_figures', days: dailyAfterMs / dayMs, after: 'they were read' },
  { kind: 'jobs', table: 'pgboss', days: endedJobDays, after: 'they ended' },
]

/** The one time that is a brokerage's to decide. */
const chosenKind = 'vendor-messages'

export const retentionCommands: Command[] = [
  {
    words: 'retention list',
    takes: '<subdomain>',
    says: 'for how many days each kind is kept, and which of them the brokerage decides',
    more: 'docs/retention.md has a line for every table, also for those that nothing is taken out of.',
    async run(ground, [subdomain]) {
      const days = await readNotificationDays(await workspaceOf(ground, subdomain))
      const chosen = { kind: chosenKind, days, after: 'they came', decided_by: 'the brokerage' }
      return [chosen, ...fixedTimes.map(({ table: _, ...time }) => ({ ...time, decided_by: 'Atrium' }))]
    },
  },
  {
    words: 'retention set',
    takes: '<subdomain> <kind> <days>',
    says: `for how many days the bodies of what vendors send are kept: ${chosenKind}`,
    more: `From ${notificationDays.min} to ${notificationDays.max} days, as the desk has it under Settings, Security.`,
    async run(ground, [subdomain, kind, days]) {
      if (fixedTimes.some((time) => time.kind === kind)) throw new UsageProblem(`How long ${kind} are kept is fixed.`)
      if (kind !== chosenKind) throw new UsageProblem(`There is no kind ${kind} to decide about. Kinds: ${chosenKind}`)
      await chooseNotificationDays(await workspaceOf(ground, subdomain), Number(days))
      return { kind, days: Number(days) }
    },
  },
]

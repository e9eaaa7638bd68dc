import {
  type ChosenTime,
  chosenDays,
  chosenTimes,
  type FixedTime,
  fixedDays,
  fixedTimes,
} from '@atrium/contract/workspaces/retention.ts'
import { chooseDays, readChosenDays } from '../workspaces/retention.ts'
import { type Command, countIn, UsageProblem, workspaceOf } from './command.ts'

/** A kind of data as docs/operators/retention.md names it (a test compares them): rows of a table, deleted days `after` an event. */
type Kind = { kind: string; table: string; after: string }

/** The retentions that a brokerage chooses. */
export const chosenKinds: Record<ChosenTime, Kind> = {
  notification_days: { kind: 'vendor-messages', table: 'payment_notifications', after: 'they arrived' },
  session_days: { kind: 'sessions', table: 'sessions', after: 'they ended' },
  mail_days: { kind: 'mails', table: 'mails', after: 'they were delivered or failed' },
  notice_days: { kind: 'notifications', table: 'notices', after: 'they arrived' },
  draft_days: { kind: 'form-drafts', table: 'form_drafts', after: 'the last change' },
  paper_days: { kind: 'erased-documents', table: 'documents', after: 'their member was erased' },
}

export const fixedKinds: Record<FixedTime, Kind> = {
  known_devices: { kind: 'known-devices', table: 'known_devices', after: 'they were last used' },
  password_resets: { kind: 'password-resets', table: 'password_resets', after: 'they were sent' },
  reset_requests: { kind: 'reset-requests', table: 'password_reset_requests', after: 'they arrived' },
  unused_files: { kind: 'unused-files', table: 'media', after: 'they were uploaded, unless something uses them' },
  figures_of_minutes: { kind: 'figures-of-minutes', table: 'account_figures', after: 'they were read' },
  figures_of_hours: { kind: 'figures-of-hours', table: 'account_figures', after: 'they were read' },
  ended_jobs: { kind: 'jobs', table: 'pgboss', after: 'they ended' },
}

const kindsToChoose = chosenTimes.map((time) => chosenKinds[time].kind).join(', ')

export const retentionCommands: Command[] = [
  {
    words: 'retention list',
    takes: '<subdomain>',
    summary: 'lists for how many days each kind of data is kept, and which of them the brokerage decides',
    more: 'docs/operators/retention.md has a row for every table, including tables that keep everything.',
    async run(context, [subdomain]) {
      const days = await readChosenDays(await workspaceOf(context, subdomain))
      const listed = ({ kind, after }: Kind, daysKept: number, decided_by: string) => ({
        kind,
        days: daysKept,
        after,
        decided_by,
      })
      return [
        ...chosenTimes.map((time) => listed(chosenKinds[time], days[time], 'the brokerage')),
        ...fixedTimes.map((time) => listed(fixedKinds[time], fixedDays[time], 'Atrium')),
      ]
    },
  },
  {
    words: 'retention set',
    takes: '<subdomain> <kind> <days>',
    summary: `sets for how many days a kind of data is kept: ${kindsToChoose}`,
    more: [
      'The desk has the same setting under Settings, Security. Limits in days:',
      ...chosenTimes.map((time) => `${chosenKinds[time].kind} ${chosenDays[time].min} to ${chosenDays[time].max}`),
    ].join('\n'),
    async run(context, [subdomain, kind, days]) {
      const time = chosenTimes.find((each) => chosenKinds[each].kind === kind)
      if (!time) {
        const isFixed = fixedTimes.some((each) => fixedKinds[each].kind === kind)
        const why = isFixed ? `The retention of ${kind} is fixed.` : `Unknown kind: ${kind}.`
        throw new UsageProblem(`${why} Kinds: ${kindsToChoose}`)
      }
      await chooseDays(await workspaceOf(context, subdomain), time, countIn(days))
      return { kind, days: countIn(days) }
    },
  },
]

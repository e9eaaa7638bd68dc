import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { calendarDay, filterFields } from '../list-calls.ts'
import { revision, seenRevision } from '../revision.ts'
import { texts } from '../texts.ts'
import { daysList } from './desk-list.ts'
import { mismatchKinds, mismatchStates } from './states.ts'

/** Texts of the daily reconciliation with platforms and providers. */
export const reconciliationTexts = {
  futureDay: 'This day has not begun yet.',
  notOpen: 'This difference is no longer open.',
  notExplained: 'This difference is not explained.',
} as const

const ok = z.object({ status: z.literal('ok') })
const amount = z.string().nullable()

const sum = z.object({
  currency: z.string(),
  method: z.string(),
  type: z.enum(['deposit', 'withdrawal']),
  portal: z.string(),
  /** Null if no provider is involved. */
  provider: amount,
  /** Null if the platform has not been read for this day. */
  platform: amount,
})
export type DaySum = z.output<typeof sum>

export const reconciliationDay = z.object({
  day: z.string(),
  state: z.enum(['asked', 'compared']),
  compared_at: z.int().nullable(),
  platforms: z.array(
    z.object({
      _id: z.uuid(),
      name: z.string(),
      accounts_read: z.int(),
      accounts_total: z.int(),
      is_complete: z.boolean(),
      read_at: z.int().nullable(),
      /** The reason why the latest reading failed. */
      problem: z.string().nullable(),
    }),
  ),
  sums: z.array(sum),
  open: z.int(),
  explained: z.int(),
})
export type ReconciliationDay = z.output<typeof reconciliationDay>

export const mismatch = z.object({
  _id: z.uuid(),
  day: z.string(),
  kind: z.enum(mismatchKinds),
  currency: z.string(),
  method: z.string(),
  portal: amount,
  provider: amount,
  platform: amount,
  provider_currency: z.string().nullable(),
  /** A platform's deal, or a provider's reference. */
  reference: z.string().nullable(),
  account: z.object({ _id: z.uuid(), platform_login: z.string(), platform_name: z.string() }).nullable(),
  transaction: z.object({ _id: z.uuid(), ticket: z.string(), type: z.enum(['deposit', 'withdrawal']) }).nullable(),
  state: z.enum(mismatchStates),
  note: z.string().nullable(),
  explained_by: z.string().nullable(),
  explained_at: z.int().nullable(),
  found_at: z.int(),
  /** Stands for the amounts. */
  revision,
})
export type Mismatch = z.output<typeof mismatch>

const filters = filterFields(daysList)

export const listReconciliation = defineCall({
  method: 'GET',
  path: '/desk/api/reconciliation',
  access: 'staff',
  right: 'money.read',
  input: z.object(filters),
  answer: ok.extend({
    days: z.array(reconciliationDay),
    /** The chosen range is longer than a list shows; the export has all of it. */
    is_cut: z.boolean().default(false), // The previous version omits it.
    time_zone: z.string(),
    today: z.string(),
    currencies: z.array(z.string()),
    methods: z.array(z.string()),
  }),
})

export const readReconciliationDay = defineCall({
  method: 'GET',
  path: '/desk/api/reconciliation/days/:day',
  access: 'staff',
  right: 'money.read',
  input: z.object({ day: calendarDay, currency: filters.currency, method: filters.method }),
  answer: ok.extend({ day: reconciliationDay, differences: z.array(mismatch) }),
})

/** The number of open mismatches, for the desk's menu. */
export const countMismatches = defineCall({
  method: 'GET',
  path: '/desk/api/reconciliation/open',
  access: 'staff',
  right: 'money.read',
  input: z.object({}),
  answer: ok.extend({ open: z.int() }),
})

/** Requests a reading of the platforms and a reconciliation of the day; repeated requests cause a single reading. */
export const askReconciliation = defineCall({
  method: 'POST',
  path: '/desk/api/reconciliation/days/:day/compare',
  access: 'staff',
  right: 'money.decide',
  decides: ['reconciliation.ask'],
  input: z.object({ day: calendarDay }),
  answer: ok.extend({ day: reconciliationDay }),
})

export const explainMismatch = defineCall({
  method: 'POST',
  path: '/desk/api/reconciliation/differences/:id/explain',
  access: 'staff',
  right: 'money.decide',
  decides: ['reconciliation.explain'],
  input: z.object({
    id: z.uuid(),
    note: z.string({ error: texts.fieldsMissing }).trim().min(1, texts.fieldsMissing).max(limits.commentCharsMax),
    seen: seenRevision,
  }),
  answer: ok.extend({ difference: mismatch }),
})

export const reopenMismatch = defineCall({
  method: 'POST',
  path: '/desk/api/reconciliation/differences/:id/reopen',
  access: 'staff',
  right: 'money.decide',
  decides: ['reconciliation.reopen'],
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({ difference: mismatch }),
})

/** Daily sums or single mismatches as CSV. */
export const exportReconciliation = defineCall({
  method: 'GET',
  path: '/desk/api/reconciliation/table',
  access: 'staff',
  right: 'money.read',
  input: z.object({ ...filters, of: z.enum(['sums', 'differences']).default('sums') }),
  answer: ok,
})

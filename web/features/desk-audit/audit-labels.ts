import { scopeLabels } from '@atrium/contract/access/scope-labels.ts'
import type { NamedInLog } from '@atrium/contract/audit-log/desk-calls.ts'
import { formatAmount, isDecimal } from '@atrium/contract/money/money.ts'
import { day, readerLanguage, time } from '../../ui/text/format.ts'
import { labelOfNoun } from './action-labels.ts'

/** The filter choices, one per noun of the actions; each covers all actions of its noun. */
export function aboutChoices(actions: readonly string[]): { value: string; label: string }[] {
  const nouns = [...new Set(actions.map((action) => action.split('.')[0] ?? ''))]
  return nouns
    .map((noun) => ({ value: `${noun}.`, label: labelOfNoun(noun) }))
    .sort((one, other) => one.label.localeCompare(other.label))
}

export const aboutOf = (action: string | undefined): string | null => (action ? action.replace(/(\..*)?$/, '.') : null)

const actorLabels = { staff: 'Desk', member: 'Member', system: 'System' } as const

export const labelOfActor = (kind: keyof typeof actorLabels): string => actorLabels[kind]

/** Labels of fields with an unclear name; all others are derived by rule. */
const fieldLabels = new Map(
  Object.entries({
    tickbox_text: 'text of the checkbox',
    blocked_portal_sections: 'closed until accepted',
    asks_from: 'asks who has not accepted since version',
    characters: 'length of the text',
    order: 'asked in this order',
    second_factor_members: 'second factor for members',
    second_factor_staff: 'second factor for staff',
    hold_withdrawals: 'withdrawals held after a reset',
    destination_rest_hours: 'cooling-off period, hours',
    bank_name_chars_max: 'maximum length of account holder and bank name',
    notification_days: 'days for which messages of vendors are kept',
    session_days: 'days for which ended sessions are kept',
    mail_days: 'days for which sent emails are kept',
    notice_days: 'days for which notifications are kept',
    draft_days: 'days for which drafts of forms are kept',
    paper_days: 'days for which documents of erased members are kept',
    totp: 'authenticator app',
    papers_elsewhere: 'verified outside the portal',
    kyc_category: 'set of document categories',
    day: 'day compared',
  }),
)

const sectionLabels = new Map<string, string>(Object.entries(scopeLabels))

type Details = Record<string, unknown> | null
/** `isProblem`: a stored problem, which the page puts into words. */
export type Difference = { name: string; before: string | null; after: string | null; isProblem?: true }
export type NamesInLog = Record<string, NamedInLog>

/** Old and new value of each changed field. */
export function differencesOf(before: Details, after: Details, names: NamesInLog = {}): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const currency = [after, before].map((details) => details?.currency).find((each) => typeof each === 'string')
  const isAmount = (field: string) =>
    currency !== undefined && amountFields.has(field) && isDecimal(String(after?.[field] ?? before?.[field]))
  return fields
    .filter((field) => field !== 'currency' || before?.currency !== undefined || !fields.some(isAmount))
    .map((field): Difference => {
      const inWords = (details: Details) => describeValue(spelled(field, details?.[field]), { field, names })
      const asMoney = (details: Details) => describeAmount(details?.[field], String(details?.currency ?? currency))
      const format = isAmount(field) ? asMoney : inWords
      const isProblem = field === 'problem' && { isProblem: true as const }
      return { name: fieldName(field), before: format(before), after: format(after), ...isProblem }
    })
    .filter((each) => each.before !== each.after)
}

const amountFields = new Set(['amount', 'fee', 'net', 'charge', 'paid', 'balance', 'credited', 'limit', 'sum'])

function describeAmount(value: unknown, currency: string): string | null {
  if (value === undefined || value === null || value === '') return null
  return `${formatAmount(String(value), currency, readerLanguage())} ${currency}`
}

const fieldName = (field: string): string => fieldLabels.get(field) ?? field.replace(/_ids?$/, '').replaceAll('_', ' ')

/** Names portal sections as the desk does. */
function spelled(name: string, value: unknown): unknown {
  if (name !== 'blocked_portal_sections' || !Array.isArray(value)) return value
  return value.map((section) => sectionLabels.get(String(section)) ?? section)
}

type Meant = { field: string; names: NamesInLog }

function describeValue(value: unknown, meant: Meant): string | null {
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value)) {
    return value.length === 0 ? null : value.map((each) => describeValue(each, meant) ?? '').join(', ')
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && meant.field.endsWith('_at')) return describeMoment(value)
  if (typeof value === 'string') return meant.field === 'problem' ? value : describeText(value, meant.names)
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([field, each]) => `${fieldName(field)}: ${describeValue(each, { ...meant, field }) ?? '\u2013'}`)
    .join(', ')
}

const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const momentShape = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/
/** `in_verification`: an identifier from the code, not user input. */
const codeShape = /^[a-z]+(_[a-z]+)+$/

function describeText(text: string, names: NamesInLog): string {
  if (idShape.test(text)) return names[text]?.name ?? `${text.slice(0, 8)}\u2026`
  if (momentShape.test(text)) return describeMoment(Date.parse(text))
  if (codeShape.test(text)) return text.replaceAll('_', ' ')
  return text.replace(/^psp:/, '')
}

/** In the reader's time zone, as everywhere on the page. */
const describeMoment = (at: number): string => `${day(at)}, ${time(at)}`

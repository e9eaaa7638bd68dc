import { limits } from '@atrium/contract/limits.ts'
import { isDecimal } from '@atrium/contract/money/money.ts'
import type { TransactionsQueryVariables } from '../../../api/generated/graphql.ts'
import { startOfDay, startOfDayAfter } from '../../../ui/text/format.ts'

/** Filters and page of the transactions list as query parameters: text, and only those that are set. */
export type TransactionFilters = {
  ticket: string
  account: string
  /** `live` or `demo`. */
  kind: string
  amount: string
  type: string
  status: string
  psp: string
  from: string
  to: string
}

export type TransactionsSearch = TransactionFilters & { page: number; open: string | undefined }

export const noFilters: TransactionFilters = {
  ticket: '',
  account: '',
  kind: '',
  amount: '',
  type: '',
  status: '',
  psp: '',
  from: '',
  to: '',
}

const names = Object.keys(noFilters) as (keyof TransactionFilters)[]
const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : ''

/** Reads hand-typed addresses too: an invalid value counts as absent. */
export function readSearch(search: Record<string, unknown>): TransactionsSearch {
  const read = Object.fromEntries(names.map((name) => [name, asText(search[name])])) as TransactionFilters
  const filters = { ...read, amount: isDecimal(read.amount) ? read.amount : '' }
  const page = Number(asText(search.page))
  const open = asText(search.open)
  return { ...filters, page: Number.isInteger(page) && page > 0 ? page : 1, open: open === '' ? undefined : open }
}

/** Omits empty and default values. */
export function writeSearch(search: Partial<TransactionsSearch>): Record<string, string | number> {
  const entries = Object.entries(search).filter(
    ([name, value]) => value !== '' && value !== undefined && !(name === 'page' && value === 1),
  )
  return Object.fromEntries(entries) as Record<string, string | number>
}

export const countFilters = (filters: TransactionFilters) => names.filter((name) => filters[name] !== '').length

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)
const firstMoment = (text: string) => (isDay(text) ? startOfDay(text) : Number.NaN)
const lastMoment = (text: string) => (isDay(text) ? startOfDayAfter(text) - 1 : Number.NaN)
const orNothing = (value: number) => (Number.isNaN(value) ? undefined : value)

type Asked = Pick<
  TransactionsQueryVariables,
  | 'ticket'
  | 'account_number'
  | 'live_account'
  | 'amount'
  | 'type'
  | 'status'
  | 'destination'
  | 'created_at_from'
  | 'created_at_to'
>

export function toVariables(search: TransactionsSearch): TransactionsQueryVariables {
  return { limit: limits.transactionsPageSize, page: search.page, ...toAsked(search) }
}

/** Days are in the reader's time zone: from the start of the first to the end of the last. */
export function toAsked(search: TransactionFilters): Asked {
  const variables: Asked = {}
  const from = orNothing(firstMoment(search.from))
  const to = orNothing(lastMoment(search.to))
  if (search.ticket) variables.ticket = search.ticket
  if (search.account) variables.account_number = search.account
  if (search.kind === 'live' || search.kind === 'demo') variables.live_account = search.kind === 'live'
  if (search.amount) variables.amount = search.amount
  if (search.type) variables.type = search.type
  if (search.status) variables.status = search.status
  if (search.psp) variables.destination = `psp:${search.psp}`
  if (from !== undefined) variables.created_at_from = from
  if (to !== undefined) variables.created_at_to = to
  return variables
}

/** A number as typed, or copied from screens and emails: `T-1035`, `#700123`. Other text is rejected. */
export function takeDigits(current: string, typed: string): string {
  const plain = typed.replace(/^[\s#]*(?:t-?)?|\s+$/gi, '')
  return /^\d*$/.test(plain) ? plain : current
}

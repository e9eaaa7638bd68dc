import { type DaySpan, readDaySpan } from '../../ui/fields/day-span.ts'
import { type ListInput, searchedText } from '../desk-deposits/deposit-queue.ts'

/** What the address says about the queue, and what follows from it. No DOM here. */
export const withdrawalTabs = [
  'pending',
  'paying',
  'debiting',
  'checking',
  'returning',
  'approved',
  'rejected',
  'all',
] as const
export type WithdrawalTab = (typeof withdrawalTabs)[number]
export type WithdrawalView = { tab: WithdrawalTab; q: string; page: number } & DaySpan
/** The address carries only what differs from the queue of pending withdrawals. */
export type WithdrawalSearch = { state?: WithdrawalTab; q?: string; page?: number } & DaySpan

export const withdrawalPageSize = 25
export const withdrawalSearchCharsMax = 100
const pageMax = 100_000

/** Anybody may write an address: what makes no sense in it is left out. */
export function readWithdrawalSearch(search: Record<string, unknown>): WithdrawalSearch {
  const tab = withdrawalTabs.find((name) => name === search.state) ?? 'pending'
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
  const page = Number(search.page)
  const isPage = Number.isInteger(page) && page > 1 && page <= pageMax
  return toSearch({ tab, q: q.slice(0, withdrawalSearchCharsMax), page: isPage ? page : 1, ...readDaySpan(search) })
}

export function toSearch({ tab, q, page, ...span }: WithdrawalView): WithdrawalSearch {
  return {
    ...(tab === 'pending' ? {} : { state: tab }),
    ...(q === '' ? {} : { q }),
    ...(page === 1 ? {} : { page }),
    ...readDaySpan(span),
  }
}

export function viewOfSearch(search: WithdrawalSearch): WithdrawalView {
  return { tab: search.state ?? 'pending', q: search.q ?? '', page: search.page ?? 1, ...readDaySpan(search) }
}

/** The whole tab, as it is searched, for a table. */
export function toTableInput(view: WithdrawalView) {
  const { page: _, limit: __, ...filters } = toListInput(view)
  return filters
}

/** Queues are worked oldest first; histories are read newest first. */
export function toListInput({ tab, q, page, ...span }: WithdrawalView): ListInput {
  const asked = searchedText(q)
  const isHistory = ['approved', 'rejected', 'all'].includes(tab)
  return {
    ...(tab === 'all' ? {} : { state: tab }),
    ...(asked === '' ? {} : { q: asked }),
    ...span,
    page,
    limit: withdrawalPageSize,
    order: isHistory ? 'newest' : 'oldest',
  }
}

/** The row above or below the chosen one; at an end it stays there. */
export function rowBeside(ids: readonly string[], chosen: string | undefined, step: 1 | -1): string | undefined {
  const at = chosen === undefined ? -1 : ids.indexOf(chosen)
  if (at < 0) return step === 1 ? ids[0] : ids.at(-1)
  return ids[Math.max(0, Math.min(ids.length - 1, at + step))]
}

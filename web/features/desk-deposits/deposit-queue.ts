import type { TransactionState } from '@atrium/contract/funding/states.ts'
import { type DaySpan, readDaySpan } from '../../ui/fields/day-span.ts'

/** What the address says about the queue, and what follows from it. No DOM here. */

export const queueTabs = ['pending', 'crediting', 'checking', 'approved', 'rejected', 'all'] as const
export type QueueTab = (typeof queueTabs)[number]

export type QueueView = { tab: QueueTab; q: string; page: number } & DaySpan

/** The address carries only what differs from the queue of pending deposits. */
export type QueueSearch = { state?: QueueTab; q?: string; page?: number } & DaySpan

export const queuePageSize = 25
export const queueSearchCharsMax = 100
const pageMax = 100_000

/** Anybody may write an address: what makes no sense in it is left out. */
export function readQueueSearch(search: Record<string, unknown>): QueueSearch {
  const tab = queueTabs.find((name) => name === search.state)
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
  const page = Number(search.page)
  return toQueueSearch({
    tab: tab ?? 'pending',
    q: q.slice(0, queueSearchCharsMax),
    ...readDaySpan(search),
    page: Number.isInteger(page) && page > 1 && page <= pageMax ? page : 1,
  })
}

export function toQueueSearch({ tab, q, page, ...span }: QueueView): QueueSearch {
  return {
    ...(tab === 'pending' ? {} : { state: tab }),
    ...(q === '' ? {} : { q }),
    ...(page === 1 ? {} : { page }),
    ...readDaySpan(span),
  }
}

export function viewOf(search: QueueSearch): QueueView {
  return { tab: search.state ?? 'pending', q: search.q ?? '', page: search.page ?? 1, ...readDaySpan(search) }
}

/** What is searched for may stand in any state: a new search looks everywhere, and the tabs then say where it is. */
export const withSearch = <Tab extends string>(
  view: { tab: Tab | 'all'; q: string; page: number } & DaySpan,
  q: string,
) => ({
  ...view,
  tab: view.q === '' && q !== '' ? ('all' as const) : view.tab,
  q,
  page: 1,
})

/** Tickets are shown as T-1042 and read out as "number 1042"; the server knows the bare number. */
export function searchedText(q: string): string {
  const text = q.trim()
  return /^(?:t-|#)\s*(\d+)$/i.exec(text)?.[1] ?? text
}

/** What the desk's lists of deposits and of withdrawals ask for. */
export type ListInput = {
  state?: TransactionState
  q?: string
  page: number
  limit: number
  order: 'oldest' | 'newest'
} & DaySpan

/** Queues are worked oldest first; histories are read newest first. */
export function listInput({ tab, q, page, ...span }: QueueView): ListInput {
  const isQueue = tab === 'pending' || tab === 'crediting' || tab === 'checking'
  const text = searchedText(q)
  return {
    ...(tab === 'all' ? {} : { state: tab }),
    ...(text === '' ? {} : { q: text }),
    ...span,
    page,
    limit: queuePageSize,
    order: isQueue ? 'oldest' : 'newest',
  }
}

/** The whole tab, as it is searched, for a table. */
export function tableInput(view: QueueView) {
  const { page: _, limit: __, ...filters } = listInput(view)
  return filters
}

/**
 * Where `j` and `k` lead. A chosen deposit that has left the list (somebody decided it) is remembered by the place it had:
 * down leads to what has moved up into it.
 */
export function neighbour(ids: string[], chosen: string | undefined, step: 1 | -1, lastIndex = 0): string | undefined {
  if (ids.length === 0) return undefined
  const at = chosen === undefined ? -1 : ids.indexOf(chosen)
  const clamp = (index: number) => Math.max(0, Math.min(ids.length - 1, index))
  if (at >= 0) return ids[clamp(at + step)]
  if (chosen === undefined) return ids[step === 1 ? 0 : ids.length - 1]
  return ids[clamp(step === 1 ? lastIndex : lastIndex - 1)]
}

/** What comes up after a decision: the one below, at the end of the list the one above, nothing when it was the last. */
export function nextAfterDecision(ids: string[], decided: string): string | undefined {
  const at = ids.indexOf(decided)
  if (at < 0) return ids[0]
  return ids[at + 1] ?? ids[at - 1]
}

type Row = { _id: string; state: TransactionState }
type QueuePage<R extends Row> = { deposits: R[]; total: number; counts: Partial<Record<TransactionState, number>> }

/** A page of the queue with a decision in it, so that the list agrees at once and not with the next refresh. */
export function withDecision<R extends Row, P extends QueuePage<R>>(
  page: P & QueuePage<R>,
  tab: QueueTab,
  decided: Row,
): P {
  const before = page.deposits.find(({ _id }) => _id === decided._id)
  if (!before || before.state === decided.state) return page
  const counts = { ...page.counts }
  counts[before.state] = Math.max(0, (counts[before.state] ?? 0) - 1)
  counts[decided.state] = (counts[decided.state] ?? 0) + 1
  if (tab === 'all' || tab === decided.state) {
    const deposits = page.deposits.map((row) => (row._id === decided._id ? { ...row, state: decided.state } : row))
    return { ...page, counts, deposits }
  }
  const deposits = page.deposits.filter(({ _id }) => _id !== decided._id)
  return { ...page, counts, deposits, total: Math.max(0, page.total - 1) }
}

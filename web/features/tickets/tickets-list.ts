/** The query parameters of the tickets. Uses no DOM. */
export const ticketTabs = ['open', 'taken', 'closed'] as const
export type TicketTab = (typeof ticketTabs)[number]
export type TicketsSearch = { id: string | undefined; tab: TicketTab; q: string; page: number }

const pageMax = 10_000
export const ticketLabelsCharsMax = 100

/** Reads hand-typed addresses too: invalid values are omitted. */
export function readTicketsSearch(search: Record<string, unknown>): TicketsSearch {
  const words = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
  const page = Number(search.page)
  const isPage = Number.isInteger(page) && page > 1 && page <= pageMax
  return {
    id: typeof search.id === 'string' && search.id !== '' ? search.id.slice(0, 100) : undefined,
    tab: ticketTabs.find((tab) => tab === search.tab) ?? 'open',
    q: words.slice(0, ticketLabelsCharsMax),
    page: isPage ? page : 1,
  }
}

/** Omits defaults: the first page of the open tickets. */
export function writeTicketsSearch({ id, tab, q, page }: TicketsSearch): Record<string, string | number> {
  return {
    ...(id && { id }),
    ...(tab !== 'open' && { tab }),
    ...(q !== '' && { q }),
    ...(page > 1 && { page }),
  }
}

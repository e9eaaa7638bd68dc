import { type TicketState, ticketStates } from '@atrium/contract/ticket-states.ts'

/** What the address says about the board; it carries only what differs from everything that is open. */
export type TicketSearch = { state?: TicketState; q?: string; mine?: 'yes'; after?: string }

const wordsCharsMax = 100
const markCharsMax = 400

/** Anybody may write an address: what makes no sense in it is left out. */
export function readTicketSearch(search: Record<string, unknown>): TicketSearch {
  const words = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
  const state = ticketStates.find((name) => name === search.state)
  const after = typeof search.after === 'string' && search.after.length <= markCharsMax ? search.after : undefined
  return {
    ...(state && state !== 'open' && { state }),
    ...(words !== '' && { q: words.slice(0, wordsCharsMax) }),
    ...(search.mine === 'yes' && { mine: 'yes' as const }),
    ...(after && { after }),
  }
}

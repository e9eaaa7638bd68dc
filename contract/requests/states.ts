/** Where a request can stand; apart from its calls, so that a badge can name one without their schemas. */
export const requestStates = ['not-assigned', 'open', 'in-progress', 'done', 'canceled', 'rejected'] as const
export type RequestState = (typeof requestStates)[number]

export const requestPriorities = ['low', 'medium', 'high'] as const
export type RequestPriority = (typeof requestPriorities)[number]

type Moves = Readonly<Record<RequestState, readonly RequestState[]>>

const cancels: readonly RequestState[] = ['canceled']

/**
 * Legal moves, by whoever makes them; nothing else sets a state, and a trigger in the database holds the same table. What is
 * done, canceled or rejected stays so: whoever wants more asks anew.
 */
export const requestMoves: Record<'member' | 'staff', Moves> = {
  member: { 'not-assigned': cancels, open: cancels, 'in-progress': cancels, done: [], canceled: [], rejected: [] },
  staff: {
    'not-assigned': ['open', 'in-progress', 'done', 'canceled', 'rejected'],
    open: ['not-assigned', 'in-progress', 'done', 'canceled', 'rejected'],
    'in-progress': ['not-assigned', 'open', 'done', 'canceled', 'rejected'],
    done: [],
    canceled: [],
    rejected: [],
  },
}

export const isFinalRequest = (state: RequestState): boolean => requestMoves.staff[state].length === 0

/** What is said when a request goes to one of these: the reason of a no. */
export const needsComment = (state: RequestState): boolean => state === 'canceled' || state === 'rejected'

/** Types that lead to a page of their own instead of a form. */
export const predefinedTypes = ['add_bank_account', 'open_trading_account', 'update_trading_account'] as const
export type PredefinedType = (typeof predefinedTypes)[number]

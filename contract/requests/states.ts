import { knownOr } from '../unknown-values.ts'

/** The states of a request; separate from its calls, so that a badge does not load their schemas. */
export const requestStates = ['not-assigned', 'open', 'in-progress', 'done', 'canceled', 'rejected'] as const
export type RequestState = (typeof requestStates)[number]

export const requestPriorities = ['low', 'medium', 'high'] as const
export type RequestPriority = (typeof requestPriorities)[number]

type Moves = Readonly<Record<RequestState, readonly RequestState[]>>

const cancels: readonly RequestState[] = ['canceled']

/**
 * Legal state transitions, by actor; a database trigger enforces the same table. Done, canceled and rejected are final: the member
 * sends a new request instead.
 */
export const requestMoves: Record<'member' | 'staff', Moves> = {
  member: knownOr([], {
    'not-assigned': cancels,
    open: cancels,
    'in-progress': cancels,
    done: [],
    canceled: [],
    rejected: [],
  }),
  staff: knownOr([], {
    'not-assigned': ['open', 'in-progress', 'done', 'canceled', 'rejected'],
    open: ['not-assigned', 'in-progress', 'done', 'canceled', 'rejected'],
    'in-progress': ['not-assigned', 'open', 'done', 'canceled', 'rejected'],
    done: [],
    canceled: [],
    rejected: [],
  }),
}

export const isFinalRequest = (state: RequestState): boolean => requestMoves.staff[state].length === 0

/** These states require a comment with the reason. */
export const needsComment = (state: RequestState): boolean => state === 'canceled' || state === 'rejected'

/** Types that link to a page of the portal instead of a form. */
export const predefinedTypes = ['add_bank_account', 'open_trading_account', 'update_trading_account'] as const
export type PredefinedType = (typeof predefinedTypes)[number]

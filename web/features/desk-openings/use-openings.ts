import type { CallAnswer } from '@atrium/contract/call.ts'
import { listOpeningsAtDesk, lookForOpening } from '@atrium/contract/desk-openings.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import type { OpeningSearch } from './opening-search.ts'
import { isMoving } from './opening-words.ts'

type Answer = CallAnswer<typeof listOpeningsAtDesk>
export type OpeningRow = Answer['openings'][number]

const key = 'desk-openings'
const watchedEveryMs = 5_000
/** A look takes seconds; its outcome shows without anybody asking. */
const lookedForMs = 60_000

const isWatched = ({ state, asked_again_at, looked_at }: OpeningRow): boolean => {
  if (isMoving(state)) return true
  const isAsked = asked_again_at !== null && asked_again_at > Date.now() - lookedForMs
  return isAsked && (looked_at ?? 0) < asked_again_at
}

export const openingsQuery = (search: OpeningSearch) =>
  queryOptions({
    queryKey: [key, search],
    queryFn: () => call(listOpeningsAtDesk, search),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data?.openings.some(isWatched) ? watchedEveryMs : false),
  })

/** Whatever it answers, the list is read again: the program may have been faster. */
export function useLookForOpening(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(lookForOpening, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [key] }),
  })
}

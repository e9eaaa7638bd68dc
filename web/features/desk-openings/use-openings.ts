import type { CallAnswer } from '@atrium/contract/call.ts'
import { deskOpeningCalls, endOpening, lookUpOpeningAgain } from '@atrium/contract/openings/desk-calls.ts'
import { openingsList } from '@atrium/contract/openings/desk-list.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call, serverNow } from '../../api/transport.ts'
import { isMoving } from './opening-labels.ts'

export type OpeningsAnswer = CallAnswer<typeof deskOpeningCalls.list>
export type OpeningRow = OpeningsAnswer['openings'][number]

const watchedEveryMs = 5_000
/** A search takes seconds, so the list refreshes automatically for this long after one is requested. */
const lookedForMs = 60_000

const isWatched = ({ state, asked_again_at, looked_at }: OpeningRow): boolean => {
  if (isMoving(state)) return true
  const isAsked = asked_again_at !== null && asked_again_at > serverNow() - lookedForMs
  return isAsked && (looked_at ?? 0) < asked_again_at
}

export const openings = listSource(openingsList, deskOpeningCalls, {
  refreshMs: (rows) => rows.some(isWatched) && watchedEveryMs,
})

/** Refetches the list after every outcome, because the automatic search may have finished first. */
export function useLookUpOpeningAgain(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(lookUpOpeningAgain, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [openings.key] }),
  })
}

export function useEndOpening(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ reason }: { reason: string }) => call(endOpening, { id, reason }),
    onSettled: () => queries.invalidateQueries({ queryKey: [openings.key] }),
  })
}

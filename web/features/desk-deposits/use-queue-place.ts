import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useIsLeaving } from '../../ui/forms/use-is-leaving.ts'
import { type QueueView, readQueueSearch, toQueueSearch, viewOf } from './deposit-queue.ts'

const route = '/deposits/{-$depositId}'

/** Where somebody is in the queue and how to go elsewhere: all of it stands in the address. */
export function useQueuePlace() {
  const navigate = useNavigate()
  const view = viewOf(readQueueSearch(useSearch({ strict: false })))
  const { depositId } = useParams({ strict: false }) as { depositId?: string }

  const open = useCallback(
    (id: string | undefined, next: QueueView, { isReplacing = false } = {}) =>
      navigate({
        to: route,
        params: { depositId: id },
        search: toQueueSearch(next),
        replace: isReplacing,
      }),
    [navigate],
  )
  const isLeaving = useIsLeaving(route)
  return { view, depositId, open, isLeaving }
}

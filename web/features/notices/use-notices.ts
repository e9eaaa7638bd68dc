import * as contract from '@atrium/contract/notifications/calls.ts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { noteBell, noticesKey } from './bell-state.ts'

export function useNoticeList({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  return useInfiniteQuery({
    queryKey: [...noticesKey, isUnreadOnly],
    queryFn: ({ pageParam }) =>
      call(contract.listNotices, {
        unread: isUnreadOnly ? 'true' : 'false',
        ...(pageParam !== undefined && { before: pageParam }),
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ more, notices }) => (more ? notices.at(-1)?.number : undefined),
  })
}

/** Both calls answer with the bell's new state. */
export function useReading() {
  const client = useQueryClient()
  const onSuccess = (bell: contract.BellEvent) => noteBell(client, bell)
  const one = useMutation({ mutationFn: (id: string) => call(contract.readNotice, { id }), onSuccess })
  const all = useMutation({ mutationFn: (number: number) => call(contract.readAllNotices, { number }), onSuccess })
  return { readOne: one.mutate, readAll: all }
}

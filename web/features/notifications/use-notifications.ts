import * as contract from '@atrium/contract/notifications/calls.ts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { noteBell, notificationsKey } from './bell-state.ts'

export function useNotificationList({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  return useInfiniteQuery({
    queryKey: [...notificationsKey, isUnreadOnly],
    queryFn: ({ pageParam }) =>
      call(contract.listNotifications, {
        unread: isUnreadOnly ? 'true' : 'false',
        ...(pageParam !== undefined && { before: pageParam }),
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ more, notices: notifications }) => (more ? notifications.at(-1)?.number : undefined),
  })
}

/** Both calls answer with the bell's new state. */
export function useReading() {
  const client = useQueryClient()
  const onSuccess = (bell: contract.BellEvent) => noteBell(client, bell)
  const one = useMutation({ mutationFn: (id: string) => call(contract.readNotification, { id }), onSuccess })
  const all = useMutation({
    mutationFn: (number: number) => call(contract.readAllNotifications, { number }),
    onSuccess,
  })
  return { readOne: one.mutate, readAll: all }
}

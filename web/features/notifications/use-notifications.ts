import * as contract from '@atrium/contract/notifications/calls.ts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { noteBell, notificationsKey } from './bell-state.ts'

export function useNotificationList({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  const { t } = useTranslation()
  const list = useInfiniteQuery({
    queryKey: [...notificationsKey, isUnreadOnly],
    queryFn: ({ pageParam }) =>
      call(contract.listNotifications, {
        unread: isUnreadOnly ? 'true' : 'false',
        ...(pageParam !== undefined && { before: pageParam }),
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ more, notices: notifications }) => (more ? notifications.at(-1)?.number : undefined),
  })
  /** The list stays as it is when its next page does not load, so that this says it. */
  const showMore = async () => {
    const { error, isFetchNextPageError } = await list.fetchNextPage()
    if (error && isFetchNextPageError) toast.refused(t(error.message))
  }
  return { list, showMore }
}

/** Both calls answer with the bell's new state. */
export function useReading() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const onSuccess = (bell: contract.BellEvent) => noteBell(client, bell)
  const one = useMutation({ mutationFn: (id: string) => call(contract.readNotification, { id }), onSuccess })
  const all = useMutation({
    mutationFn: (number: number) => call(contract.readAllNotifications, { number }),
    onSuccess,
    onError: (error) => toast.refused(t(error.message)),
  })
  return { readOne: one.mutate, readAll: all }
}

import * as contract from '@atrium/contract/notifications/calls.ts'
import { type QueryClient, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

const bellKey = ['notices', 'bell'] as const
const listKey = ['notices', 'list'] as const

/** How the bell stands. The stream says so with its first word and with each change. */
export function useBell(): contract.BellEvent | undefined {
  return useQuery<contract.BellEvent>({ queryKey: bellKey, enabled: false }).data
}

/** What is shown of the list is read again; what nobody looks at waits for its next opening. */
export function noteBell(client: QueryClient, bell: contract.BellEvent): void {
  const before = client.getQueryData<contract.BellEvent>(bellKey)
  client.setQueryData(bellKey, { unread: bell.unread, number: bell.number })
  if (before?.number !== bell.number) client.invalidateQueries({ queryKey: listKey })
}

export function useNoticeList({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  return useInfiniteQuery({
    queryKey: [...listKey, isUnreadOnly],
    queryFn: ({ pageParam }) =>
      call(contract.listNotices, {
        unread: isUnreadOnly ? 'true' : 'false',
        ...(pageParam !== undefined && { before: pageParam }),
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ more, notices }) => (more ? notices.at(-1)?.number : undefined),
  })
}

/** Both say how the bell stands after them. */
export function useReading() {
  const client = useQueryClient()
  const onSuccess = (bell: contract.BellEvent) => noteBell(client, bell)
  const one = useMutation({ mutationFn: (id: string) => call(contract.readNotice, { id }), onSuccess })
  const all = useMutation({ mutationFn: (number: number) => call(contract.readAllNotices, { number }), onSuccess })
  return { readOne: one.mutate, readAll: all }
}

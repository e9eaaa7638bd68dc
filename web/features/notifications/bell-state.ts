import type { BellEvent } from '@atrium/contract/notifications/calls.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'

const bellKey = ['notices', 'bell'] as const
export const notificationsKey = ['notices', 'list'] as const

/** The state of the bell, which the stream sends first and on each change. */
export function useBell(): BellEvent | undefined {
  return useQuery<BellEvent>({ queryKey: bellKey, enabled: false }).data
}

/** Refetches a displayed list; a closed one is refetched when it opens. */
export function noteBell(client: QueryClient, bell: BellEvent): void {
  const before = client.getQueryData<BellEvent>(bellKey)
  client.setQueryData(bellKey, { unread: bell.unread, number: bell.number })
  if (before?.number !== bell.number) client.invalidateQueries({ queryKey: notificationsKey })
}

import type { BellEvent } from '@atrium/contract/notifications/calls.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'

const bellKey = ['notices', 'bell'] as const
export const noticesKey = ['notices', 'list'] as const

/** How the bell stands. The stream says so with its first word and with each change. */
export function useBell(): BellEvent | undefined {
  return useQuery<BellEvent>({ queryKey: bellKey, enabled: false }).data
}

/** What is shown of the list is read again; what nobody looks at waits for its next opening. */
export function noteBell(client: QueryClient, bell: BellEvent): void {
  const before = client.getQueryData<BellEvent>(bellKey)
  client.setQueryData(bellKey, { unread: bell.unread, number: bell.number })
  if (before?.number !== bell.number) client.invalidateQueries({ queryKey: noticesKey })
}

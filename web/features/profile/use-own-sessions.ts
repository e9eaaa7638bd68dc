import type { CallAnswer } from '@atrium/contract/call.ts'
import type { listOwnSessions } from '@atrium/contract/sessions/calls.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

export type OwnSession = CallAnswer<typeof listOwnSessions>['sessions'][number]

/** Where the list comes from and how one is ended: members and staff each have calls of their own. */
export type SessionSource = {
  list: () => Promise<OwnSession[]>
  end: (session: { _id: string }) => Promise<{ msg: string[] }>
  endOthers: () => Promise<{ msg: string[] }>
}

const sessionsKey = ['own-sessions'] as const

export function useOwnSessions(source: SessionSource) {
  return useQuery({ queryKey: sessionsKey, queryFn: source.list })
}

/** Whatever came of it, the list is read again: another device may have been faster. */
export function useEndSession(source: SessionSource) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (target: { _id: string } | 'others') => (target === 'others' ? source.endOthers() : source.end(target)),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  })
}

import type { CallAnswer } from '@atrium/contract/call.ts'
import type { listOwnSessions } from '@atrium/contract/sessions/calls.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

export type OwnSession = CallAnswer<typeof listOwnSessions>['sessions'][number]

/** The calls that list and end sessions: members and staff have their own. */
export type SessionSource = {
  list: () => Promise<OwnSession[]>
  end: (session: { _id: string }) => Promise<{ msg: string[] }>
  endOthers: () => Promise<{ msg: string[] }>
}

const sessionsKey = ['own-sessions'] as const

export function useOwnSessions(source: SessionSource) {
  return useQuery({ queryKey: sessionsKey, queryFn: source.list })
}

/** Refetches the list after success and failure: another device may have ended the session first. */
export function useEndSession(source: SessionSource) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (target: { _id: string } | 'others') => (target === 'others' ? source.endOthers() : source.end(target)),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  })
}

import { endOtherSessions, endOwnSession, listOwnSessions } from '@atrium/contract/sessions.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

const sessionsKey = ['own-sessions'] as const

export function useOwnSessions() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: async () => (await call(listOwnSessions, {})).sessions,
  })
}

export type OwnSession = NonNullable<ReturnType<typeof useOwnSessions>['data']>[number]

/** Whatever came of it, the list is read again: another device may have been faster. */
export function useEndSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (target: { _id: string } | 'others') =>
      target === 'others' ? call(endOtherSessions, {}) : call(endOwnSession, target),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  })
}

import type { CallAnswer } from '@atrium/contract/call.ts'
import { declareList } from '@atrium/contract/list.ts'
import type { listOwnSessions } from '@atrium/contract/sessions/calls.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { type ListSource, pageOfAll } from '../../ui/lists/list-query.ts'
import { bySource } from './session-groups.ts'

export type OwnSession = CallAnswer<typeof listOwnSessions>['sessions'][number]

/** The calls that list and end sessions: members and staff have their own. */
export type SessionSource = {
  list: () => Promise<OwnSession[]>
  end: (session: { _id: string }) => Promise<{ msg: string[] }>
  endOthers: () => Promise<{ msg: string[] }>
  /** The page that shows them. */
  to: string
}

const sessionsKey = ['own-sessions'] as const

const sessionsList = declareList({ name: 'own-sessions', isNumbered: true, pageSize: 10, filters: {} })
type Group = { _id: string; sessions: OwnSession[] }

/** The sessions by device and address. */
export const ownSessions = ({ list }: SessionSource): ListSource<typeof sessionsList, Group, Group[]> => ({
  list: sessionsList,
  key: sessionsKey,
  async ask({ page }) {
    const groups = bySource(await list()).map((sessions) => ({ _id: sessions[0]?._id ?? '', sessions }))
    return pageOfAll(groups, sessionsList, page)
  },
})

/** Refetches the list after success and failure: another device may have ended the session first. */
export function useEndSession(source: SessionSource) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (target: { _id: string } | 'others') => (target === 'others' ? source.endOthers() : source.end(target)),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: sessionsKey })
      focusHeadingWhenLost()
    },
  })
}

import type { NoticeTargetKind } from '@atrium/contract/notifications/calls.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isBell, isNoticeOfTarget, paths } from '../../api/first-calls.ts'
import { keepFollowing } from '../../api/keep-following.ts'
import { noteBell } from './bell-state.ts'

/** What shows the things that a notice can be about: read again when one of them is told of. */
export type ShownBy = Readonly<Partial<Record<NoticeTargetKind, readonly string[]>>>

/** Follows what comes under the bell, on every page. Answers how to stop. */
export function followNotices(
  client: QueryClient,
  shownBy: Readonly<Record<string, readonly string[] | undefined>>,
): () => void {
  return keepFollowing({
    path: paths.watchNotices,
    onEvent: ({ name, data }) => {
      if (name === 'bell' && isBell(data)) noteBell(client, data)
      if (name !== 'notice' || !isNoticeOfTarget(data)) return
      for (const key of shownBy[data.target.kind] ?? []) client.invalidateQueries({ queryKey: [key] })
    },
  })
}

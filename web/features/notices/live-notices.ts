import { bellEvent, type NoticeTargetKind, noticeView, watchNotices } from '@atrium/contract/notifications/calls.ts'
import type { QueryClient } from '@tanstack/react-query'
import { keepFollowing } from '../../api/keep-following.ts'
import { noteBell } from './use-notices.ts'

/** What shows the things that a notice can be about: read again when one of them is told of. */
export type ShownBy = Readonly<Partial<Record<NoticeTargetKind, readonly string[]>>>

/** Follows what comes under the bell, on every page. Answers how to stop. */
export function followNotices(client: QueryClient, shownBy: ShownBy): () => void {
  return keepFollowing({
    path: watchNotices.path,
    onEvent: ({ name, data }) => {
      if (name === 'bell') {
        const bell = bellEvent.safeParse(data)
        if (bell.success) noteBell(client, bell.data)
      }
      if (name === 'notice') {
        const notice = noticeView.safeParse(data)
        if (!notice.success) return
        for (const key of shownBy[notice.data.target.kind] ?? []) client.invalidateQueries({ queryKey: [key] })
      }
    },
  })
}

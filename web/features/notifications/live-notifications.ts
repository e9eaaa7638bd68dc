import type { NotificationTargetKind } from '@atrium/contract/notifications/calls.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isBell, isNotificationOfTarget, paths } from '../../api/first-calls.ts'
import { keepFollowing } from '../../api/streams/keep-following.ts'
import { noteBell } from './bell-state.ts'

/** The query keys by kind of notification target, invalidated when a notification about that kind arrives. */
export type ShownBy = Readonly<Partial<Record<NotificationTargetKind, readonly string[]>>>

/** Follows the stream of new notifications on every page. Returns a function that stops it. */
export function followNotifications(
  client: QueryClient,
  shownBy: Readonly<Record<string, readonly string[] | undefined>>,
): () => void {
  return keepFollowing({
    path: paths.watchNotifications,
    onEvent: ({ name, data }) => {
      if (name === 'bell' && isBell(data)) noteBell(client, data)
      if (name !== 'notice' || !isNotificationOfTarget(data)) return
      for (const key of shownBy[data.target.kind] ?? []) client.invalidateQueries({ queryKey: [key] })
    },
  })
}

import type { Readable } from 'node:stream'
import type { BellEvent } from '@atrium/contract/notifications/calls.ts'
import { authorize, type Member, type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { makeWatchers, sendEvent, type Watcher } from '../foundation/streams/stream-watchers.ts'
import { describeProblem } from '../observability/log.ts'
import { withLogContext, withoutLogContext } from '../observability/log-context.ts'
import type { checkStreamAccess } from '../sessions/stream-access.ts'
import { type News, readLastNumbers, readNews } from './notifications.ts'

const beatMs = 1_000

/** `upTo`: the last number sent; null before the first poll, for a page that wants no older ones. */
type SentUpTo = { upTo: number | null; isGreeted: boolean }
type Listener = Watcher<SentUpTo>

/** `checkStreamAccess` is passed in, because sessions depend on notifications. */
export type HubOptions = { checkStreamAccess: typeof checkStreamAccess; isBeating?: boolean }

export type NotificationHub = {
  /** Streams the member's notifications. `lastEventId`: where a reconnecting page resumes. */
  follow(member: Member, lastEventId: string | undefined): Readable
  /** Runs one poll, for tests. */
  beat(): Promise<void>
  close(): void
}

/**
 * Streams new notifications to all listeners of this process: one poll a second for all of them, whichever process
 * wrote the rows. No `LISTEN`, because a connection pooler in between would drop it.
 */
export function openNotificationHub(
  context: Context,
  { checkStreamAccess, isBeating = true }: HubOptions,
): NotificationHub {
  const listeners = makeWatchers<SentUpTo>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function beat(): Promise<void> {
    for (const [workspaceId, own] of listeners.ofWorkspaces()) {
      const system = systemActor(context, workspaceId)
      await withLogContext({ workspace: workspaceId }, async () => {
        try {
          const open = await checkStreamAccess(system, { watchers: listeners, own, scope: 'all' })
          if (open.length > 0) await send(system, open)
        } catch (problem) {
          // Sessions cannot be checked, so all streams end.
          for (const listener of own) listeners.end(listener, 'unavailable')
          context.log.error({ err: describeProblem(problem) }, 'live notifications stopped')
        }
      })
    }
  }

  function goOn(afterMs: number): void {
    if (!isBeating || isClosed || timer) return
    timer = setTimeout(async () => {
      await beat()
      timer = undefined
      if (!listeners.isEmpty()) goOn(beatMs)
    }, afterMs)
    timer.unref()
  }

  return {
    follow(member, lastEventId) {
      authorize(member, 'all')
      const { stream } = listeners.admit(member, { upTo: readEventId(lastEventId), isGreeted: false })
      withoutLogContext(() => goOn(0))
      return stream.readable
    },
    beat,
    close() {
      isClosed = true
      clearTimeout(timer)
      listeners.close('unavailable')
    },
  }
}

/** Null for anything but one of our event ids. */
function readEventId(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}

async function send(system: System, open: readonly Listener[]): Promise<void> {
  const memberIds = [...new Set(open.map(({ member }) => member.memberId))]
  await reading(system, async (tx) => {
    const last = await readLastNumbers(tx, system, memberIds)
    const reached = ({ member }: Listener) => last.get(member.memberId) ?? 0
    for (const listener of open) begin(listener, reached(listener))
    const behind = open.filter((listener) => !listener.sent.isGreeted || (listener.sent.upTo ?? 0) < reached(listener))
    if (behind.length === 0) return
    const after = new Map<string, number>()
    for (const { member, sent } of behind)
      after.set(member.memberId, Math.min(after.get(member.memberId) ?? Number.POSITIVE_INFINITY, sent.upTo ?? 0))
    const news = await readNews(tx, system, after)
    for (const listener of behind) {
      const own = news.get(listener.member.memberId)
      if (own) sendFurther(listener, own, reached(listener))
    }
  })
}

/** A number beyond the box's last comes from before a restored backup, or is forged. */
function begin({ sent }: Listener, reached: number): void {
  sent.upTo = Math.min(sent.upTo ?? reached, reached)
}

/**
 * Sends unsent notifications in order, then the unread count. Numbers commit in order, so continuing after the last one
 * skips none.
 */
function sendFurther(listener: Listener, { notices: notifications, unread, hasMore }: News, reached: number): void {
  const { sent } = listener
  for (const notification of notifications) {
    if (notification.number <= (sent.upTo ?? 0)) continue
    if (!sendEvent(listener, 'notice', notification, notification.number)) return
    sent.upTo = notification.number
  }
  if (!hasMore) sent.upTo = Math.max(sent.upTo ?? 0, reached)
  sent.isGreeted = true
  const bell: BellEvent = { unread, number: sent.upTo ?? 0 }
  sendEvent(listener, 'bell', bell, bell.number)
}

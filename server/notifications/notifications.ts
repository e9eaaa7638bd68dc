import { limits } from '@atrium/contract/limits.ts'
import {
  groupOf,
  type NotificationKind,
  type NotificationTarget,
  type NotificationView,
} from '@atrium/contract/notifications/calls.ts'
import { type Expression, type Selectable, sql } from 'kysely'
import { type Actor, authorize, type Member, type System } from '../foundation/actor.ts'
import type { Notices } from '../foundation/database/database.generated.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuseNotFound } from '../foundation/errors.ts'

type Box = { unread: number; number: number }
type Row = Pick<
  Selectable<Notices>,
  'notice_id' | 'notice_number' | 'kind' | 'title' | 'body' | 'details' | 'target_kind' | 'target_id' | 'read_at'
> & { created_at: Date }

const columns = [
  ...(['notice_id', 'notice_number', 'kind', 'title', 'body', 'details'] as const),
  ...(['target_kind', 'target_id', 'created_at', 'read_at'] as const),
] as const

function viewOf(row: Row): NotificationView {
  const kind = row.kind as NotificationKind
  return {
    _id: row.notice_id,
    number: Number(row.notice_number),
    kind,
    group: groupOf(kind),
    title: row.title,
    body: row.body,
    details: row.details as Record<string, string>,
    target: { kind: row.target_kind as NotificationTarget['kind'], ...(row.target_id && { id: row.target_id }) },
    read: row.read_at !== null,
    created_at: row.created_at.getTime(),
  }
}

type Asked = { unread: 'true' | 'false'; before?: number | undefined; limit: number }

/** Keyset pagination: new notifications do not shift pages. */
export async function readNotifications(member: Member, { unread, before, limit }: Asked) {
  authorize(member, 'all')
  return reading(member, async (tx) => {
    // First of the batch: a notification that arrives meanwhile is then in the rows, and not only in the number.
    const box = readBox(tx, member)
    let query = ownNotifications(tx, member)
      .select(columns)
      .orderBy('notice_number', 'desc')
      .limit(limit + 1)
    if (unread === 'true') query = query.where('read_at', 'is', null)
    if (before !== undefined) query = query.where('notice_number', '<', String(before))
    const [counted, rows] = await Promise.all([box, query.execute()])
    return { notices: rows.slice(0, limit).map(viewOf), more: rows.length > limit, ...counted }
  })
}

export async function readOwnBox(member: Member): Promise<Box> {
  authorize(member, 'all')
  return reading(member, (tx) => readBox(tx, member))
}

const ownNotifications = (tx: Tx, { workspaceId, memberId }: Member) =>
  tx.selectFrom('notices').where('workspace_id', '=', workspaceId).where('member_id', '=', memberId)

async function readBox(tx: Tx, member: Member): Promise<Box> {
  const box = tx
    .selectFrom('notice_boxes')
    .select('last_number')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirst()
  const open = tx
    .selectFrom(
      ownNotifications(tx, member)
        .select('notice_id')
        .where('read_at', 'is', null)
        .limit(limits.notificationsCountedMax)
        .as('open'),
    )
    .select(({ fn }) => fn.countAll<string>().as('unread'))
    .executeTakeFirstOrThrow()
  const [numbered, { unread }] = await Promise.all([box, open])
  return { unread: Number(unread), number: Number(numbered?.last_number ?? 0) }
}

/** Idempotent; answers 404 for another member's notification. */
export async function markRead(member: Member, notificationId: string): Promise<Box> {
  authorize(member, 'all')
  return inTransaction(member, async (tx) => {
    await lockOwnMember(tx, member)
    const found = await ownNotifications(tx, member)
      .select('read_at')
      .where('notice_id', '=', notificationId)
      .executeTakeFirst()
    if (!found) refuseNotFound()
    if (found.read_at === null) await mark(tx, member, sql<boolean>`notice_id = ${notificationId}`)
    return readBox(tx, member)
  })
}

/** Marks up to the last one on the screen; later ones stay unread. */
export async function markAllRead(member: Member, upTo: number): Promise<Box> {
  authorize(member, 'all')
  return inTransaction(member, async (tx) => {
    await lockOwnMember(tx, member)
    await mark(tx, member, sql<boolean>`notice_number <= ${upTo}`)
    return readBox(tx, member)
  })
}

async function mark(tx: Tx, member: Member, which: Expression<boolean>): Promise<void> {
  const marked = await tx
    .updateTable('notices')
    .set({ read_at: member.context.clock.now() })
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('read_at', 'is', null)
    .where(which)
    .executeTakeFirst()
  if (marked.numUpdatedRows === 0n) return
  await takeNumber(tx, member, member.memberId)
}

/**
 * Takes the next number of a member's box under a lock held until the commit, so numbers become visible in order. Every
 * change of the box takes a number, which makes pollers read it again.
 */
export function takeNumber(
  tx: Tx,
  actor: Actor,
  memberId: string,
): Promise<{ last_number: string; mail_off: string[] }> {
  return tx
    .insertInto('notice_boxes')
    .values({ workspace_id: actor.workspaceId, member_id: memberId, last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'member_id'])
        .doUpdateSet((is) => ({ last_number: is('notice_boxes.last_number', '+', '1') })),
    )
    .returning(['last_number', 'mail_off'])
    .executeTakeFirstOrThrow()
}

/** Deletes an erased member's box. */
export async function dropBox(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  await tx
    .deleteFrom('notice_boxes')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .execute()
}

/** The last number of each member's box. */
export async function readLastNumbers(
  tx: Tx,
  system: System,
  memberIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('notice_boxes')
    .select(['member_id', 'last_number'])
    .where('workspace_id', '=', system.workspaceId)
    .where(sql<boolean>`member_id = any(${memberIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.member_id, Number(row.last_number)]))
}

export type News = { notices: NotificationView[]; unread: number; hasMore: boolean }

/** Notifications after each member's number in `after`, oldest first. */
export async function readNews(tx: Tx, system: System, after: ReadonlyMap<string, number>): Promise<Map<string, News>> {
  const [ids, numbers] = [[...after.keys()], [...after.values()]]
  const found = await sql<Row & { member_id: string }>`
    select notice.* from unnest(${ids}::uuid[], ${numbers}::bigint[]) as wanted (member_id, after)
    cross join lateral (
      select * from notices
      where workspace_id = ${system.workspaceId} and member_id = wanted.member_id and notice_number > wanted.after
      order by notice_number limit ${limits.notificationsSentMax + 1}
    ) as notice`.execute(tx)
  const counted = await sql<{ member_id: string; unread: string }>`
    select wanted.member_id, open.unread from unnest(${ids}::uuid[]) as wanted (member_id)
    cross join lateral (
      select count(*) as unread from (
        select from notices
        where workspace_id = ${system.workspaceId} and member_id = wanted.member_id and read_at is null
        limit ${limits.notificationsCountedMax}
      ) as few
    ) as open`.execute(tx)
  const byMember = Map.groupBy(found.rows, ({ member_id }) => member_id)
  return new Map(
    counted.rows.map(({ member_id, unread }) => {
      const rows = byMember.get(member_id) ?? []
      const notifications = rows.slice(0, limits.notificationsSentMax).map(viewOf)
      return [
        member_id,
        { notices: notifications, unread: Number(unread), hasMore: rows.length > limits.notificationsSentMax },
      ]
    }),
  )
}

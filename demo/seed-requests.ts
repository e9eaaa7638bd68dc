import type { System } from '../server/foundation/actor.ts'
import { nextNumber } from '../server/foundation/counters.ts'
import type { Tx } from '../server/foundation/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { requestTypes } from './requests.ts'

/** Request types in their order, and the member's last request of each that has one. */
export async function addRequests(tx: Tx, system: System, memberId: string): Promise<void> {
  const now = system.ground.clock.now().getTime()
  for (const [position, { name, description, quick, last, ...more }] of requestTypes.entries()) {
    const key = { workspace_id: system.workspaceId, request_type_id: newId() }
    const predefined_type = 'predefined' in more ? more.predefined : null
    const created_at = new Date(now - 400 * 86_400_000)
    await tx
      .insertInto('request_types')
      .values({ ...key, name, description, predefined_type, is_quick_link: quick, position, created_at })
      .execute()
    if (!last) continue
    await tx
      .insertInto('requests')
      .values({
        ...key,
        request_id: newId(),
        number: await nextNumber(tx, system, 'request'),
        member_id: memberId,
        subject: name,
        description,
        status: last.status,
        comment: 'comment' in last ? last.comment : null,
        created_at: new Date(now - last.daysAgo * 86_400_000),
      })
      .execute()
  }
}

import { sql } from 'kysely'
import type { Erasure } from '../foundation/erasure.ts'

/** Saved filters named after the member are deleted first, while the name is still known. */
export const staffErasure: Erasure = {
  async before(tx, actor, memberId) {
    await sql`
      update staff_list_views set saved = coalesce((
        select jsonb_agg(each) from jsonb_array_elements(saved) each
        where not lower(each ->> 'name') ~ any (persons.marks)
      ), '[]')
      from (
        select array_agg('(^|\\W)' || regexp_replace(lower(mark), '\\W', '\\\\\\&', 'g') || '(\\W|$)') as marks
        from members, unnest(array[last_name, email, customer_number]) mark
        where members.workspace_id = ${actor.workspaceId} and member_id = ${memberId} and mark <> ''
      ) persons
      where staff_list_views.workspace_id = ${actor.workspaceId}
        and exists (
          select from jsonb_array_elements(saved) each where lower(each ->> 'name') ~ any (persons.marks)
        )`.execute(tx)
  },
}

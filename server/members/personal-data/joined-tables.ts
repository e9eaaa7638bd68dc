import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import type { Joined, Owner, PersonalData } from '../../foundation/erasure.ts'

/** Joins `part` to a row `own` of the member. The key is unique for each owner's row. */
function hangsOn({ workspaceId }: Actor, { by, of = by }: Owner, memberId: string): RawBuilder<boolean> {
  const keys = by.map((key, index) => sql`${sql.ref(`part.${key}`)} = ${sql.ref(`own.${of[index]}`)}`)
  keys.push(sql`part.workspace_id = own.workspace_id`)
  const theirs = sql`own.workspace_id = ${workspaceId}::uuid and own.member_id = ${memberId}::uuid`
  return sql<boolean>`${theirs} and ${sql.join(keys, sql` and `)}`
}

const ownersOf = (joined: Joined): Owner[] => [joined, ...(joined.or ?? [])]

/** Each row once. */
export function joinedRowsOf(tx: Tx, actor: Actor, [table, joined]: [string, Joined], memberId: string) {
  const parts = ownersOf(joined).map(
    (owner) => sql`select part.* from ${sql.table(owner.owner)} as own, ${sql.table(table)} as part
      where ${hangsOn(actor, owner, memberId)}`,
  )
  return sql<Record<string, unknown>>`${sql.join(parts, sql` union all `)} order by 1, 2, 3`.execute(tx)
}

/** Blanks the columns that describe an erased member, leaving empty columns as they are. */
export async function emptyJoined(tx: Tx, actor: Actor, all: PersonalData['joined'], memberId: string): Promise<void> {
  for (const [table, joined] of Object.entries(all)) {
    if (joined.ending.do !== 'blank') continue
    const columns = Object.entries(joined.ending.columns)
    const sets = columns.map(
      ([column, value]) =>
        sql`${sql.ref(column)} = case when ${sql.ref(`part.${column}`)} is not null then ${value}::text end`,
    )
    const said = columns.map(([column]) => sql`${sql.ref(`part.${column}`)} is not null`)
    for (const owner of ownersOf(joined))
      await sql`
        update ${sql.table(table)} as part set ${sql.join(sets)} from ${sql.table(owner.owner)} as own
        where ${hangsOn(actor, owner, memberId)} and (${sql.join(said, sql` or `)})`.execute(tx)
  }
}

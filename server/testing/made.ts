import type { Insertable } from 'kysely'

/** What a builder may be told of the row that it makes. */
export type Made<Row> = Partial<Omit<Insertable<Row>, 'workspace_id' | 'member_id' | 'created_at'>> & {
  created_at?: Date
}

/** The same of a row that is a member's. */
export type Owned<Row> = Made<Row> & { memberId: string }

let counted = 0
/** A number that no earlier call of this process gave, for what must differ. */
export function nextCount(): number {
  counted += 1
  return counted
}

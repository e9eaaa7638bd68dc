import { type Expression, type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { emailSpellings, memberHasEmail } from '../foundation/email-spellings.ts'

/** A person with a password: a member of the portal or a desk user. */
export type Kind = 'member' | 'staff'
export type PersonKey = { kind: Kind; id: string }
export type Person = PersonKey & {
  email: string
  name: string
  /** A member's type, or a desk user's role. */
  type: string
  status: string
  passwordHash: string
}

/** The owner's column in sessions and reset links. */
export const ownerColumn = { member: 'member_id', staff: 'staff_id' } as const

/** The owner columns of a new row, for either kind of person. */
export function ownedBy({ kind, id }: PersonKey): { member_id: string | null; staff_id: string | null } {
  return kind === 'member' ? { member_id: id, staff_id: null } : { member_id: null, staff_id: id }
}

/** Members can read their own mails and audit entries; a desk user's carry no member. */
export function memberIdOf({ kind, id }: PersonKey): string | null {
  return kind === 'member' ? id : null
}

type Owned = { workspace_id: string; member_id: string | null; staff_id: string | null }

/** A `where` condition for the rows of one person in one workspace. */
export function rowsOf({ workspaceId }: Actor, { kind, id }: PersonKey) {
  return <Row extends Owned, Table extends string>(
    is: ExpressionBuilder<Record<Table, Row>, Table>,
  ): ExpressionWrapper<Record<Table, Row>, Table, SqlBool> => {
    const narrow = is as unknown as ExpressionBuilder<{ t: Owned }, 't'>
    return narrow.and([narrow('workspace_id', '=', workspaceId), narrow(ownerColumn[kind], '=', id)]) as never
  }
}

type Key = { workspaceId: string; id: string }

function peopleOf(tx: Tx, actor: Pick<Actor, 'workspaceId'>, kind: Kind) {
  const members = tx
    .selectFrom('members')
    .select(['member_id as id', 'email', 'type', 'status', 'password_hash as passwordHash'])
    .select(sql<string>`first_name || ' ' || last_name`.as('name'))
    .where('workspace_id', '=', actor.workspaceId)
  const staff = tx
    .selectFrom('staff_users')
    .select(['staff_id as id', 'email', 'role as type', 'status', 'password_hash as passwordHash', 'name'])
    .where('workspace_id', '=', actor.workspaceId)
  return kind === 'member' ? members : (staff as unknown as typeof members)
}

export async function readPerson(tx: Tx, actor: Actor, { kind, id }: PersonKey): Promise<Person | null> {
  const row = await peopleOf(tx, actor, kind)
    .where(sql.ref(ownerColumn[kind]) as Expression<string>, '=', id)
    .executeTakeFirst()
  return row ? { kind, ...row } : null
}

/** Locks the row, which serializes every change of sign-in. */
export async function lockPerson(tx: Tx, actor: Actor, { kind, id }: PersonKey): Promise<Person | null> {
  const [row] = (await lockById(tx, { workspaceId: actor.workspaceId, id }, kind)).rows
  return row ? { kind, ...row } : null
}

const lockById = prepareStatement('lock_person', (tx: Tx, { workspaceId, id }: Key, kind: Kind) =>
  peopleOf(tx, { workspaceId }, kind)
    .where(sql.ref(ownerColumn[kind]) as Expression<string>, '=', id)
    .forNoKeyUpdate(),
)

export async function lockPersonByEmail(tx: Tx, actor: Actor, kind: Kind, email: string): Promise<Person | null> {
  const spellings = emailSpellings(email)
  const row = await peopleOf(tx, actor, kind)
    .where(
      kind === 'member' ? memberHasEmail(actor, spellings) : sql<boolean>`lower(email) = any(${spellings}::text[])`,
    )
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? { kind, ...row } : null
}

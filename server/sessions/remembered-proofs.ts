import type { Member, Staff, System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { Tx } from '../foundation/database/database.ts'
import { keepRecent, type Recent } from '../foundation/database/recent.ts'
import type { Recalled } from '../foundation/pending-proof.ts'
import { type Choices, isWithin, lifeSpan, type Times } from './session.ts'
import { type ByTokens, shareProofs } from './shared-proofs.ts'
import { hashToken } from './token.ts'

export type ByToken = Pick<System, 'workspaceId'> & { hash: Buffer }
/** What every repeated proof reads. The revision changes with the workspace's settings, features and published terms. */
export type ProvenSession = Times & { revision: string; has_factor: boolean }

/** `chosen`: the settings of the proof, which apply as long as the revision is the same. */
type Proven<Row> = { row: Row; chosen: Choices }
type Remembered<Person, Row> = Proven<Row> & { person: Person }

type Rules<Row> = {
  /** The smaller statement of a repeated proof. */
  repeat(tx: Tx, by: ByToken): Promise<Row | undefined>
  /** The same for several tokens. */
  repeatAll(tx: Tx, by: ByTokens): Promise<(Row & { place: number })[]>
  /** Whether two proofs are equal, apart from the session's times. */
  isSame(one: Row, other: Row): boolean
}

/** The sessions remembered by one process, of members and of desk users each. */
const rememberedMax = 5_000

const placeOf = (workspaceId: string, hash: Buffer): string => `${workspaceId} ${hash.toString('base64')}`

/** Remembers by token who was proven, and by what. */
export function rememberProofs<Person extends Member | Staff, Row extends ProvenSession>({
  repeat,
  repeatAll,
  isSame,
}: Rules<Row>) {
  const proveTogether = shareProofs<Row>(repeatAll)
  const memories = new WeakMap<Context, Recent<Remembered<Person, Row>>>()

  function memoryOf(context: Context): Recent<Remembered<Person, Row>> {
    const made = memories.get(context) ?? keepRecent<Remembered<Person, Row>>(rememberedMax)
    memories.set(context, made)
    return made
  }

  return {
    keep(person: Person, hash: Buffer, proven: Proven<Row>): void {
      const { lastSeenAt: _, ...lasting } = person
      memoryOf(person.context).keep(placeOf(person.workspaceId, hash), { ...proven, person: lasting as Person })
    },
    recall(system: System, token: string): Recalled<Person> | null {
      const hash = hashToken(token)
      const { context, workspaceId } = system
      const place = placeOf(workspaceId, hash)
      const remembered = memoryOf(context).find(place)
      if (!remembered) return null
      const { person, row: before, chosen } = remembered
      const judge = (row: Row | undefined) => {
        const isOpen = row && isWithin(lifeSpan(system, chosen), row)
        if (isOpen && isSame(row, before)) return { lastSeenAt: row.last_seen_at }
        memoryOf(context).forget(place)
        return null
      }
      return {
        actor: { ...person, ...system, kind: person.kind },
        proveAgain: async (tx) => judge(await repeat(tx, { workspaceId, hash })),
        proveAlone: async () => judge(await proveTogether(system, hash)),
      }
    },
  }
}

import type { Actor } from './actor.ts'
import type { Tx } from './database/database.ts'

/** What becomes of a member's rows when the member is erased. */
export type Ending =
  /** They go. `inPiecesBy` is the key of those of which one member may have a million. */
  | { do: 'remove'; inPiecesBy?: readonly string[] }
  /** They stay, and nothing in them says who it was. */
  | { do: 'keep'; why: string }
  /** They stay with these columns overwritten: nothing, or a word in place of a name. */
  | { do: 'blank'; columns: Record<string, string | null>; why: string }
  /** They are seen to elsewhere. */
  | { do: 'apart'; where: string }

/** Rows in which no member stands and which are about one all the same. */
export type Joined = {
  /** By what they hang on which of the member's rows. */
  owner: string
  by: readonly string[]
  ending: Exclude<Ending, { do: 'remove' }>
}

type Step = (tx: Tx, actor: Actor, memberId: string) => Promise<void>

/** What a domain keeps about a member, and how that ends. */
export type Erasure = {
  /** Those with a member in each row. What is removed is removed in this order, domain by domain. */
  tables?: Record<string, Ending>
  joined?: Record<string, Joined>
  /** Before any row is taken that somebody else takes after these. */
  before?: Step
  /** When the rows of `tables` and `joined` are emptied. */
  after?: Step
  /** When nothing else is taken any more: the box, which everybody takes last. */
  last?: Step
}

/** What all domains keep about members. Tests hold it against the catalogue: a table that came later fails them. */
export type PersonalData = {
  tables: Readonly<Record<string, Ending>>
  joined: Readonly<Record<string, Joined>>
  steps: { before: Step; after: Step; last: Step }
}

export function gatherErasures(erasures: readonly Erasure[]): PersonalData {
  const inTurn =
    (when: 'before' | 'after' | 'last'): Step =>
    async (tx, actor, memberId) => {
      for (const erasure of erasures) await erasure[when]?.(tx, actor, memberId)
    }
  return {
    tables: Object.assign({}, ...erasures.map(({ tables }) => tables)),
    joined: Object.assign({}, ...erasures.map(({ joined }) => joined)),
    steps: { before: inTurn('before'), after: inTurn('after'), last: inTurn('last') },
  }
}

/** Why most of what is about money stays. */
export const ledger = 'Books of account are kept by law.'

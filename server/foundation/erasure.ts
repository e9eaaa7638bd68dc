import type { Actor } from './actor.ts'
import type { Tx } from './database/database.ts'

/** How the rows of a table end when a member is erased. */
export type Ending =
  /** The rows are removed. `inPiecesBy` is the batch key where one member may have a million rows. */
  | { do: 'remove'; inPiecesBy?: readonly string[] }
  /** The rows stay and contain no personal data. */
  | { do: 'keep'; why: string }
  /** The rows stay, with these columns overwritten by null or a fixed word. */
  | { do: 'blank'; columns: Record<string, string | null>; why: string }
  /** The rows are handled elsewhere. */
  | { do: 'apart'; where: string }

/** A table with a member column, the columns by which rows join to it, and their names there if they differ. */
export type Owner = { owner: string; by: readonly string[]; of?: readonly string[] }

/** Rows about a member without a member column. */
export type Joined = Owner & {
  /** Other tables that own the other rows. */
  or?: readonly Owner[]
  ending: Exclude<Ending, { do: 'remove' }>
}

type Step = (tx: Tx, actor: Actor, memberId: string) => Promise<void>

/** The tables of a domain with personal data, and how they end. */
export type Erasure = {
  /** Tables with a member column. Rows are removed in this order, domain by domain. */
  tables?: Record<string, Ending>
  joined?: Record<string, Joined>
  /** Runs first, for locks that other transactions take before these rows. */
  before?: Step
  /** Runs after the rows of `tables` and `joined` are handled. */
  after?: Step
  /** Runs last, for the notification box, which every transaction locks last. */
  last?: Step
}

/** The personal data of all domains. Tests compare it with the catalogue and fail for a new table. */
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

/** Why most financial records stay. */
export const ledger = 'Accounting records must be kept by law.'

import { type MoneyDecisionName, moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import type { DeskRight } from '@atrium/contract/staff/rights.ts'
import { authorizeStaff, type Member, type Staff, type System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { assertState, refuse } from '../foundation/errors.ts'
import { type Counted, countApprovalsNeeded, lockColleague, readEntitled } from './second-approval.ts'
import { isSelfApproval } from './self-approval.ts'

/** `by-amount`: above the workspace's amount two people approve. `one`: a single colleague decides, and `why` says why that is enough. */
export type Approvals = 'one' | 'by-amount'

/** What holds for one kind of decision about money. Declared beside its operation, collected in `server/money-policies.ts`. */
export type MoneyPolicy<Of extends Approvals = Approvals> = {
  name: MoneyDecisionName
  right: DeskRight
  /** `no-member`: the decision is about nobody's money, so there is nobody who could decide for themselves. */
  selfApproval: 'refused' | 'no-member'
  approvals: Of
} & (Of extends 'one' ? { why: string } : unknown)

const defined = new Set<string>()

/** A decision has one policy: a second one beside it would be a way around the first. */
export function definePolicy<Of extends Approvals>(policy: MoneyPolicy<Of>): MoneyPolicy<Of> {
  if (defined.has(policy.name)) throw new Error(`The decision ${policy.name} has two policies`)
  defined.add(policy.name)
  return policy
}

/** Proof that the policy of a decision was asked. Only this file can make one: the class is not exported, its field is private. */
class Permit<Of extends Approvals> {
  readonly #memberId: string | null
  readonly #approvals: Of

  constructor(memberId: string | null, approvals: Of) {
    this.#memberId = memberId
    this.#approvals = approvals
  }

  isFor(memberId: string): boolean {
    return this.#memberId === memberId
  }

  isCounted(): boolean {
    return this.#approvals === 'by-amount'
  }
}

/** A colleague whose decision about one member's money has been checked. */
export type Decider<Of extends Approvals = Approvals> = Staff & { readonly permit: Permit<Of> }

/** Whoever may move money. Staff alone may not: without a permit their code does not compile. */
export type Mover = Member | System | Decider
/** Whoever may have an account credited or debited: of staff only by a decision that counts approvals. */
export type Approver = Member | System | Decider<'by-amount'>

/** The second guard, where a type was cast away: the permit is real, and for this member's money. */
export function requirePermit(actor: Mover, memberId: string): void {
  if (actor.kind !== 'staff') return
  assertState(actor.permit instanceof Permit, 'staff move money by a checked decision')
  assertState(actor.permit.isFor(memberId), "a permit is for one member's money")
}

/** The same for a credit or a debit. */
export function requireCounted(actor: Approver, memberId: string): void {
  requirePermit(actor, memberId)
  if (actor.kind === 'staff') assertState(actor.permit.isCounted(), 'staff credit and debit by counted approvals')
}

/** Whose money a decision is about; null where it is about nobody's. */
type About = { memberId: string | null }

/** Checks a decision that one colleague takes: the right, and that the money is not their own. */
export async function decide(tx: Tx, staff: Staff, policy: MoneyPolicy<'one'>, about: About): Promise<Decider<'one'>> {
  return permit(tx, staff, policy, about)
}

/**
 * Checks a decision that counts approvals by amount. Null: this approval counts and another person's is still needed. The caller
 * holds the lock of what is decided and records the approval either way.
 */
export async function decideByAmount(
  tx: Tx,
  staff: Staff,
  policy: MoneyPolicy<'by-amount'>,
  about: Counted,
): Promise<Decider<'by-amount'> | null> {
  const decider = await permit(tx, staff, policy, about)
  if (about.approvedBy.includes(staff.staffId)) refuse('illegal_move', moneyDecisionTexts.approvedByYou)
  // Who has lost the right since, or was locked, does not count any more.
  const others = await readEntitled(tx, staff, policy.right, about.approvedBy)
  await lockColleague(tx, staff)
  const needed = await countApprovalsNeeded(tx, staff, about)
  return others.length + 1 < needed ? null : decider
}

async function permit<Of extends Approvals>(
  tx: Tx,
  staff: Staff,
  policy: MoneyPolicy<Of>,
  { memberId }: About,
): Promise<Decider<Of>> {
  authorizeStaff(staff, policy.right)
  assertState(policy.selfApproval === 'refused' || memberId === null, `${policy.name} is about nobody's money`)
  if (memberId !== null && (await isSelfApproval(tx, staff, memberId)))
    refuse('not_permitted', moneyDecisionTexts.selfApproval)
  return { ...staff, permit: new Permit(memberId, policy.approvals) }
}

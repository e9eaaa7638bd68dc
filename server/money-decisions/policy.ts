import { type MoneyDecisionName, moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import type { DeskRight } from '@atrium/contract/staff/rights.ts'
import { authorizeStaff, type Member, type Staff, type System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { lockColleague } from '../foundation/database/member-lock.ts'
import { assertState, refuse } from '../foundation/errors.ts'
import { type ApprovalSubject, countApprovalsNeeded, readEntitled } from './second-approval.ts'
import { isSelfApproval } from './self-approval.ts'

/**
 * `by-amount`: two people approve above the workspace's amount. `one`: one person decides, and `why` gives the
 * justification.
 */
export type Approvals = 'one' | 'by-amount'

/** The rules for one kind of money decision. Declared beside its operation, collected in `server/money-policies.ts`. */
export type MoneyPolicy<Of extends Approvals = Approvals> = {
  name: MoneyDecisionName
  right: DeskRight
  /** `no-member`: the decision concerns no member's money, so self-approval is impossible. */
  selfApproval: 'refused' | 'no-member'
  approvals: Of
  /** Sends money that was approved before. As a decision by amount, it needs a fresh proof. */
  sends?: true
} & (Of extends 'one' ? { why: string } : unknown)

const defined = new Map<string, MoneyPolicy>()

/** A decision has exactly one policy: a second one could bypass the first. */
export function definePolicy<Of extends Approvals>(policy: MoneyPolicy<Of>): MoneyPolicy<Of> {
  if (defined.has(policy.name)) throw new Error(`The decision ${policy.name} has two policies`)
  defined.set(policy.name, policy)
  return policy
}

/**
 * Whether a call that takes these decisions needs a fresh proof of its staff user: it can credit, debit or pay, and a
 * stolen session must not. A rejection needs none.
 */
export const needsProof = (names: readonly MoneyDecisionName[] = []): boolean =>
  names.some((name) => {
    const policy = defined.get(name)
    return policy?.approvals === 'by-amount' || policy?.sends === true
  })

/**
 * Proof that a decision's policy was checked. Only this file can create one: the class is not exported and its field is
 * private.
 */
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

/** A staff member whose decision about one member's money has been checked. */
export type Decider<Of extends Approvals = Approvals> = Staff & { readonly permit: Permit<Of> }

/** An actor that may move money. Staff without a permit do not compile. */
export type Mover = Member | System | Decider
/** An actor that may credit or debit an account: staff only through a decision that counts approvals. */
export type Approver = Member | System | Decider<'by-amount'>

/** Runtime guard in case a type was cast away: the permit is genuine and for this member's money. */
export function requirePermit(actor: Mover, memberId: string): void {
  if (actor.kind !== 'staff') return
  assertState(actor.permit instanceof Permit, 'staff move money without a checked decision')
  assertState(actor.permit.isFor(memberId), "a permit for another member's money")
}

/** The same for a credit or a debit. */
export function requireCounted(actor: Approver, memberId: string): void {
  requirePermit(actor, memberId)
  if (actor.kind === 'staff') assertState(actor.permit.isCounted(), 'staff credit or debit without counted approvals')
}

/** The member whose money a decision concerns; null if none. */
type About = { memberId: string | null }

/** Checks a decision by one person: the right, and that the money is not their own. */
export async function decide(tx: Tx, staff: Staff, policy: MoneyPolicy<'one'>, about: About): Promise<Decider<'one'>> {
  return permit(tx, staff, policy, about)
}

/**
 * Checks a decision that counts approvals by amount; null if another person's approval is still needed. The caller
 * holds the lock on the row being decided and records the approval either way.
 */
export async function decideByAmount(
  tx: Tx,
  staff: Staff,
  policy: MoneyPolicy<'by-amount'>,
  about: ApprovalSubject,
): Promise<Decider<'by-amount'> | null> {
  const decider = await permit(tx, staff, policy, about)
  if (about.approvedBy.includes(staff.staffId)) refuse('illegal_move', moneyDecisionTexts.approvedByYou)
  const others = await refuseUnseen(tx, staff, policy, about, moneyDecisionTexts.approvalsChanged)
  const needed = await countApprovalsNeeded(tx, staff, about)
  return others.length + 1 < needed ? null : decider
}

/** Checks a rejection by one person: it does not overrule an approval that its page did not show. */
export async function decideRejection(
  tx: Tx,
  staff: Staff,
  policy: MoneyPolicy<'one'>,
  about: ApprovalSubject,
): Promise<Decider<'one'>> {
  const decider = await permit(tx, staff, policy, about)
  await refuseUnseen(tx, staff, policy, about, moneyDecisionTexts.approvedMeanwhile)
  return decider
}

/** The approvals that count: those by staff who have lost the right or were locked no longer do. */
async function refuseUnseen(
  tx: Tx,
  staff: Staff,
  { right }: Pick<MoneyPolicy<Approvals>, 'right'>,
  { approvedBy, seen }: ApprovalSubject,
  sentence: string,
): Promise<readonly string[]> {
  const counted = await readEntitled(tx, staff, right, approvedBy)
  if (seen !== undefined && seen !== counted.length) refuse('conflict', sentence)
  return counted
}

async function permit<Of extends Approvals>(
  tx: Tx,
  staff: Staff,
  policy: MoneyPolicy<Of>,
  { memberId }: About,
): Promise<Decider<Of>> {
  authorizeStaff(staff, policy.right)
  await lockColleague(tx, staff, policy.right)
  assertState(policy.selfApproval === 'refused' || memberId === null, `${policy.name} concerns a member's money`)
  if (memberId !== null && (await isSelfApproval(tx, staff, memberId)))
    refuse('not_permitted', moneyDecisionTexts.selfApproval)
  return { ...staff, permit: new Permit(memberId, policy.approvals) }
}

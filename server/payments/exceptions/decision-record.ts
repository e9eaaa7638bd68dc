import { type ExceptionDecision, exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import type { Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { refuse, refuseFields } from '../../foundation/errors.ts'
import type { TransactionRow } from '../../funding/transaction.ts'
import { definePolicy } from '../../money-decisions/policy.ts'
import type { PaymentException } from './exception.ts'

export const creditingException = definePolicy({
  name: 'payment-exception.credit',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'by-amount',
})

export const closingException = definePolicy({
  name: 'payment-exception.close',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'Nothing is credited; any refund was made outside of Atrium.',
})

export type Details = { decision: ExceptionDecision; note: string | null; outside_reference: string | null }
/** What the page of the decision showed as proposed, if it says so. */
export type Shown = { seen?: ExceptionDecision | null | undefined; seen_reference?: string | null | undefined }
export type Decided = Details & { decided_by: string; decided_at: Date; transaction_id?: string }

export const decidedBy = ({ staffId, context }: Staff) => ({ decided_by: staffId, decided_at: context.clock.now() })

type Word = Pick<Details, 'decision' | 'outside_reference'>

/** Two people record the same payment outside of Atrium: one reference for both. */
const isSame = (said: PaymentException, wanted: Word): boolean =>
  said.decision === wanted.decision &&
  (wanted.decision !== 'given_back' || said.outside_reference === wanted.outside_reference)

/** The earlier proposer of the same decision; another decision, or another payment, starts a new proposal. */
export const approversOf = (asked: PaymentException, wanted: Word): string[] =>
  asked.state === 'proposed' && isSame(asked, wanted) && asked.proposed_by !== null ? [asked.proposed_by] : []

/** A proposal that the page did not show is neither seconded nor overruled. Pages of the previous version do not say. */
export function refuseUnseen({ state, decision, outside_reference }: PaymentException, shown: Shown): void {
  const [proposed, reference] = state === 'proposed' ? [decision, outside_reference] : [null, null]
  const isSeen =
    (shown.seen === undefined || shown.seen === proposed) &&
    (shown.seen_reference === undefined || shown.seen_reference === reference)
  if (!isSeen) refuse('conflict', exceptionTexts.proposedMeanwhile)
}

/** After a first word another person is needed, whatever has changed since. */
export const neededAfter = ({ state }: PaymentException, needed: number): number => (state === 'proposed' ? 2 : needed)

export function requireDetails({ decision, note, outside_reference }: Details): void {
  if (note === null) refuseFields({ note: [exceptionTexts.reasonMissing] })
  if (decision === 'given_back' && outside_reference === null)
    refuseFields({ outside_reference: [exceptionTexts.referenceMissing] })
}

/** The exception and the transaction that it is about. */
type About = { asked: PaymentException; of: Pick<TransactionRow, 'member_id' | 'state'> }

/** Records the first of two decisions. */
export async function propose(tx: Tx, staff: Staff, { asked, of }: About, details: Details): Promise<void> {
  await change(tx, staff, asked, { ...details, state: 'proposed', proposed_by: staff.staffId })
  await audit(tx, staff, {
    action: 'payment-case.proposed',
    subject: { kind: 'payment_case', id: asked.case_id },
    memberId: of.member_id,
    after: details,
  })
}

/** A person who proposed something else does not count as one of the two. */
export async function close(tx: Tx, staff: Staff, { asked, of }: About, set: Decided): Promise<void> {
  const isSeconded = asked.proposed_by !== staff.staffId && isSame(asked, set)
  await change(tx, staff, asked, { ...set, state: 'closed', proposed_by: isSeconded ? asked.proposed_by : null })
  const { decided_at: _at, decided_by: _by, ...recorded } = set
  await audit(tx, staff, {
    action: 'payment-case.decided',
    subject: { kind: 'payment_case', id: asked.case_id },
    memberId: of.member_id,
    before: { state: asked.state, deposit: of.state },
    after: recorded,
  })
}

type Change = Partial<Omit<PaymentException, 'workspace_id' | 'case_id'>>

async function change(tx: Tx, staff: Staff, { case_id }: PaymentException, set: Change): Promise<void> {
  await tx
    .updateTable('payment_cases')
    .set(set)
    .where('workspace_id', '=', staff.workspaceId)
    .where('case_id', '=', case_id)
    .execute()
}

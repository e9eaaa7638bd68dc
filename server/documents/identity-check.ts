import type { CallAnswer } from '@atrium/contract/call.ts'
import type { IdentityState, readIdentityCheck as readCall } from '@atrium/contract/documents/identity.ts'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { authorize, type Member, type System, systemActor, systemFor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdMember, lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuse } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { type IdentityStart, VendorProblem } from '../identity-vendors/contract.ts'
import { findVendorAdapter } from '../identity-vendors/registry.ts'
import { connectVendor, findEnabledVendor, type VendorRow } from '../identity-vendors/vendors.ts'
import { describeProblem } from '../observability/log.ts'
import { recordKycDocumentEvent } from './history.ts'

type Shown = Omit<CallAnswer<typeof readCall>, 'status'>

const isOver = (state: string): boolean => state === 'approved' || state === 'rejected'

/** The member's check at the current vendor. Members cannot read vendor rows, so the program reads it as the system. */
export async function readIdentityCheck(member: Member): Promise<Shown> {
  authorize(member, 'documents')
  const system = systemActor(member.context, member.workspaceId)
  const vendor = await reading(system, (tx) => findEnabledVendor(tx, system))
  const name = vendor && nameOf(vendor)
  if (!vendor || !name) return { offered: false, vendor: null, state: null, reason: null }
  const check = await reading(member, (tx) => findCheck(tx, member, vendor))
  return {
    offered: !check || !isOver(check.state),
    vendor: name,
    state: (check?.state as IdentityState | undefined) ?? null,
    reason: check?.reason ?? null,
  }
}

const nameOf = ({ app_uid }: VendorRow): string | null => findVendorAdapter(app_uid)?.name ?? null

/** A start makes up to four calls to the vendor, which limits those of the whole brokerage. */
const startsPerMember: Limit = { name: 'identity-check', triesMax: 15, windowSeconds: 15 * 60 }

/**
 * Starts or continues the member's check: repeated starts give one check and one applicant. Commits the row before it
 * calls the vendor, so that later webhooks find it.
 */
export async function startIdentityCheck(
  member: Member,
): Promise<Pick<IdentityStart, 'token' | 'url'> & { vendor: string }> {
  authorize(member, 'documents')
  const system = systemFor(member)
  const vendor = await reading(system, (tx) => findEnabledVendor(tx, system))
  const name = vendor && nameOf(vendor)
  if (!vendor || !name) refuse('conflict', documentTexts.checkNotOffered)
  await takeTry(system, startsPerMember, member.memberId)
  const { checkId, email } = await beginCheck(member, vendor)
  const { applicantId, token, url } = await ask(system, vendor, { checkId, email })
  await keepApplicant(system, member, { checkId, applicantId })
  return { vendor: name, token, url }
}

function beginCheck(member: Member, vendor: VendorRow): Promise<{ checkId: string; email: string }> {
  return inTransaction(member, async (tx) => {
    const { email } = await lockOwnMember(tx, member)
    const known = await findCheck(tx, member, vendor)
    if (known && isOver(known.state)) refuse('conflict', documentTexts.checkOver)
    if (known) return { checkId: known.check_id, email }
    const checkId = newId()
    await tx
      .insertInto('identity_checks')
      .values({
        workspace_id: member.workspaceId,
        check_id: checkId,
        member_id: member.memberId,
        vendor_id: vendor.vendor_id,
        state: 'started',
        created_at: member.context.clock.now(),
      })
      .execute()
    await recordKycDocumentEvent(tx, member, { memberId: member.memberId, event: 'identity-check.started' })
    await audit(tx, member, {
      action: 'identity-check.started',
      subject: { kind: 'identity_check', id: checkId },
      after: { vendor: vendor.app_uid },
    })
    return { checkId, email }
  })
}

async function findCheck(tx: Tx, member: Member, vendor: VendorRow) {
  return tx
    .selectFrom('identity_checks')
    .select(['check_id', 'state', 'reason'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('vendor_id', '=', vendor.vendor_id)
    .executeTakeFirst()
}

async function ask(system: System, vendor: VendorRow, person: { checkId: string; email: string }) {
  try {
    return await connectVendor(system, vendor).start({ ...person, language: null })
  } catch (problem) {
    if (!(problem instanceof VendorProblem)) throw problem
    system.context.log.error({ err: describeProblem(problem), vendor: vendor.app_uid }, 'an identity vendor failed')
    return refuse('unavailable', documentTexts.checkUnavailable)
  }
}

type Known = { checkId: string; applicantId: string }

/**
 * Stores the vendor's applicant id: webhooks must name both ids. It changes with the vendor's account, as when a brokerage goes on from
 * its test account. The audit entry names the member as actor.
 */
function keepApplicant(system: System, member: Member, { checkId, applicantId }: Known): Promise<void> {
  return inTransaction(system, async (tx) => {
    await holdMember(tx, system, member.memberId)
    const { numUpdatedRows } = await tx
      .updateTable('identity_checks')
      .set({ applicant_id: applicantId })
      .where('workspace_id', '=', system.workspaceId)
      .where('check_id', '=', checkId)
      .where('applicant_id', 'is distinct from', applicantId)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    await audit(tx, member, {
      action: 'identity-check.known-to-vendor',
      subject: { kind: 'identity_check', id: checkId },
      after: { applicant: applicantId },
    })
  })
}

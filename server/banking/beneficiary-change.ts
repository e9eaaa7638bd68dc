import type { Scope } from '@atrium/contract/access/scopes.ts'
import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseStale } from '../foundation/revision.ts'
import { notifyByMail } from '../notifications/notify.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import { coolingOffUntil } from './beneficiary.ts'
import { type BeneficiaryMail, beneficiaryMail } from './notifications.ts'
import { findOpenWithdrawal } from './open-withdrawals.ts'

export type Values = Record<string, string | null>
export type Stored<Of extends Values> = { id: string; usableFrom: Date; values: Of }
export type Written<Of extends Values> = Stored<Of> & { now: Date }

/** What differs between bank accounts and other accounts as a member's list of beneficiaries. */
export type BeneficiaryStore<Of extends Values> = {
  kind: BeneficiaryMail['kind']
  scope: Scope
  /** The member's beneficiaries that are not removed. */
  list(tx: Tx, member: Member): Promise<Stored<Of>[]>
  /** Checks that need the database; refuses fields. */
  check?(tx: Tx, member: Member, values: Of): Promise<void>
  insert(tx: Tx, member: Member, row: Written<Of>): Promise<void>
  update(tx: Tx, member: Member, row: Written<Of>): Promise<void>
  /** Locks the member's own row, removed or not; null if there is none. */
  lock(tx: Tx, member: Member, id: string): Promise<{ removed: boolean } | null>
  remove(tx: Tx, member: Member, id: string, now: Date): Promise<void>
  /** The field that shows that both are the same beneficiary, or null. */
  duplicateField(one: Of, other: Of): string | null
  /** Fields that do not affect where money goes: changing only these starts no cooling-off period. */
  nonRoutingFields: readonly (keyof Of & string)[]
  /** A name for the email: enough to recognise it, not enough to use it. */
  name(values: Of): string
}

export type SavedBeneficiary = { id: string; usableFrom: Date }

/** `seen` is the revision that the page showed. */
export type Edited = { id: string; seen?: string | undefined }

/**
 * Adds a beneficiary, or changes the edited one. Requires a fresh proof of identity, emails the owner, and starts a
 * cooling-off period: three safeguards against payouts to a new beneficiary from a hijacked session.
 */
export async function saveBeneficiary<Of extends Values>(
  member: Member,
  store: BeneficiaryStore<Of>,
  values: Of,
  edited: Edited | null,
): Promise<SavedBeneficiary> {
  authorize(member, store.scope)
  return inTransaction(member, (tx) => save(tx, member, store, { values, edited }))
}

/** The form's idempotency key. */
export type Keyed = { nonce_token?: string | undefined }

/** Adds one per idempotency key; a form without a key is recognised by its content. */
export async function addBeneficiary<Of extends Values>(
  member: Member,
  store: BeneficiaryStore<Of>,
  values: Of,
  token: string | undefined,
): Promise<SavedBeneficiary> {
  if (token === undefined) return saveBeneficiary(member, store, values, null)
  authorize(member, store.scope)
  return inTransaction(member, async (tx) => {
    const body = { kind: store.kind, ...values }
    const claim = await claimUniqueToken<ClaimedBeneficiary>(tx, member, { token, purpose: 'form_submit', body })
    if (claim.earlier) return { id: claim.earlier.id, usableFrom: new Date(claim.earlier.usable_from) }
    const { id, usableFrom } = await save(tx, member, store, { values, edited: null })
    await claim.keep({ id, usable_from: usableFrom.getTime() })
    return { id, usableFrom }
  })
}

type ClaimedBeneficiary = { id: string; usable_from: number }

type Saving<Of extends Values> = { values: Of; edited: Edited | null }

async function save<Of extends Values>(
  tx: Tx,
  member: Member,
  store: BeneficiaryStore<Of>,
  { values, edited }: Saving<Of>,
): Promise<SavedBeneficiary> {
  await requireProof(tx, member)
  const { email: to } = await lockOwnMember(tx, member)
  const known = await store.list(tx, member)
  const before = known.find((each) => each.id === edited?.id)
  if (edited && !before) refuseNotFound()
  if (before && differing(before.values, values).length === 0) return before
  if (before) refuseStale(edited?.seen, before.values, beneficiaryTexts.changedElsewhere)
  await store.check?.(tx, member, values)
  const duplicate = findDuplicate(
    store,
    values,
    known.filter((each) => each !== before),
  )
  // A repeated form adds nothing.
  if (!before && duplicate?.stored && differing(duplicate.stored.values, values).length === 0) return duplicate.stored
  if (duplicate) refuseFields({ [duplicate.field]: [validatorTexts.duplicate] })
  if (!before && known.length >= beneficiaryLimits.beneficiariesMax) refuse('conflict', beneficiaryTexts.tooMany)
  return before ? change(tx, member, store, { before, values, to }) : add(tx, member, store, { values, to })
}

const differing = (one: Values, other: Values) => Object.keys(other).filter((name) => one[name] !== other[name])

function findDuplicate<Of extends Values>(store: BeneficiaryStore<Of>, values: Of, others: Stored<Of>[]) {
  for (const stored of others) {
    const field = store.duplicateField(stored.values, values)
    if (field) return { stored, field }
  }
  return null
}

type Adding<Of extends Values> = { values: Of; to: string }

async function add<Of extends Values>(tx: Tx, member: Member, store: BeneficiaryStore<Of>, { values, to }: Adding<Of>) {
  const row: Written<Of> = {
    id: newId(),
    values,
    now: member.context.clock.now(),
    usableFrom: await coolingOffUntil(tx, member),
  }
  await store.insert(tx, member, row)
  await audit(tx, member, {
    action: `${actionOf(store)}.added`,
    subject: { kind: store.kind, id: row.id },
    after: { ...values, usable_from: row.usableFrom },
  })
  await notifyOwner(tx, member, store, { what: 'added', to, row })
  return row
}

type Changing<Of extends Values> = Adding<Of> & { before: Stored<Of> }

async function change<Of extends Values>(
  tx: Tx,
  member: Member,
  store: BeneficiaryStore<Of>,
  { before, values, to }: Changing<Of>,
): Promise<SavedBeneficiary> {
  const changed = differing(before.values, values)
  const startsCoolingOff = changed.some((field) => !(store.nonRoutingFields as readonly string[]).includes(field))
  if (startsCoolingOff) await refuseInUse(tx, member, before.id)
  const until = startsCoolingOff ? await coolingOffUntil(tx, member) : before.usableFrom
  // Another change never shortens a running cooling-off period.
  const usableFrom = new Date(Math.max(until.getTime(), before.usableFrom.getTime()))
  const row = { id: before.id, values, now: member.context.clock.now(), usableFrom }
  await store.update(tx, member, row)
  const pick = (from: Values) => Object.fromEntries(changed.map((field) => [field, from[field]]))
  await audit(tx, member, {
    action: `${actionOf(store)}.changed`,
    subject: { kind: store.kind, id: before.id },
    before: { ...pick(before.values), usable_from: before.usableFrom },
    after: { ...pick(values), usable_from: usableFrom },
  })
  await notifyOwner(tx, member, store, { what: 'changed', to, row })
  return row
}

/** Takes a beneficiary off the list and leaves its row. Removing it again is a no-op. */
export async function removeBeneficiary<Of extends Values>(
  member: Member,
  store: BeneficiaryStore<Of>,
  id: string,
): Promise<void> {
  authorize(member, store.scope)
  await inTransaction(member, async (tx) => {
    const { email: to } = await lockOwnMember(tx, member)
    const found = await store.lock(tx, member, id)
    if (!found) refuseNotFound()
    if (found.removed) return
    await refuseInUse(tx, member, id)
    const stored = (await store.list(tx, member)).find((each) => each.id === id)
    if (!stored) refuseNotFound()
    const now = member.context.clock.now()
    await store.remove(tx, member, id, now)
    await audit(tx, member, {
      action: `${actionOf(store)}.removed`,
      subject: { kind: store.kind, id },
      before: stored.values,
    })
    await notifyOwner(tx, member, store, { what: 'removed', to, row: { ...stored, now } })
  })
}

/** Approvals cover the beneficiary, so it stays as it is until its withdrawals end. The caller has locked the member. */
async function refuseInUse(tx: Tx, member: Member, id: string): Promise<void> {
  const ticket = await findOpenWithdrawal(tx, member, id)
  if (ticket) refuse('conflict', beneficiaryTexts.inUse.replace('{{ticket}}', ticket))
}

const actionOf = ({ kind }: Pick<BeneficiaryStore<Values>, 'kind'>) => kind.replace('_', '-')

type OwnerNotification<Of extends Values> = { what: BeneficiaryMail['what']; to: string; row: Written<Of> }

function notifyOwner<Of extends Values>(
  tx: Tx,
  member: Member,
  store: BeneficiaryStore<Of>,
  { what, to, row }: OwnerNotification<Of>,
) {
  const { kind } = store
  const { now: at, usableFrom } = row
  return notifyByMail(
    tx,
    member,
    beneficiaryMail({ to, memberId: member.memberId, kind, what, name: store.name(row.values), at, usableFrom }),
  )
}

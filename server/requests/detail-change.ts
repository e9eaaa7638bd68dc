import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import type { Answers } from '@atrium/contract/forms/answers.ts'
import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import {
  changeFields,
  type DetailChange,
  type RequestedDetails,
  requestedDetails,
} from '@atrium/contract/members/details.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { missingChangeFields } from '../forms/change-fields.ts'
import { readVersion } from '../forms/form.ts'
import type { Member, Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { refuseStale, revisionOf } from '../foundation/revision.ts'
import { applyDetails, readDetails } from '../members/details.ts'
import { isEmailTaken } from '../members/member-email.ts'
import type { RequestRow } from './event.ts'

/**
 * The new name or email from the answers, stored with the request, so that approval applies what was sent even if the
 * form changes; null where the form asks for neither. Only the desk reports that another member has the email.
 */
export async function readRequestedDetails(
  tx: Tx,
  member: Member,
  changes: DetailChange,
  answers: Answers,
): Promise<RequestedDetails | null> {
  // A form may show only some of the fields, by its conditions.
  const fields = Object.entries(changeFields[changes]).filter(([field]) => typeof answers[field] === 'string')
  if (fields.length === 0) return null
  const errors: FieldErrors = {}
  const wanted: Record<string, string> = {}
  for (const [field, detail] of fields) {
    const read = requestedDetails.safeParse({ [detail]: answers[field] })
    if (read.success) Object.assign(wanted, read.data)
    else errors[field] = read.error.issues.map(({ message }) => message)
  }
  if (Object.keys(errors).length > 0) refuseFields(errors)
  const now = await readDetails(tx, member, member.memberId)
  const isSame = Object.entries(wanted).every(([detail, value]) => now[detail as 'email'] === value)
  if (isSame) refuseFields(Object.fromEntries(fields.map(([field]) => [field, [requestTexts.changesNothing]])))
  return wanted
}

/** The current and the new details, for staff to compare before they approve. */
export async function describeChange(tx: Tx, staff: Staff, row: Pick<RequestRow, 'member_id' | 'wanted_change'>) {
  if (row.wanted_change === null) return null
  const wanted = row.wanted_change as RequestedDetails
  const now = await readNow(tx, staff, row.member_id, wanted)
  return {
    now,
    wanted,
    revision: revisionOf(now),
    email_taken: wanted.email !== undefined && (await isEmailTaken(tx, staff, wanted.email, row.member_id)),
  }
}

/** The present values of the details that the change replaces. */
async function readNow(tx: Tx, staff: Staff, memberId: string, wanted: RequestedDetails) {
  const { first_name, last_name, email } = await readDetails(tx, staff, memberId)
  return wanted.email === undefined ? { first_name, last_name } : { email }
}

/**
 * Applies the change on approval, unless the page showed other details. A change requested before the last change of
 * the password is not applied: whoever the new password locked out may have sent it, to get in again by another
 * mailbox. The caller holds the member's row.
 */
export async function applyRequestedDetails(
  tx: Tx,
  staff: Staff,
  row: RequestRow,
  seen: string | undefined,
): Promise<void> {
  const read = requestedDetails.safeParse(row.wanted_change)
  if (!read.success) refuse('conflict', deskTexts.changeUnreadable)
  refuseStale(seen, await readNow(tx, staff, row.member_id, read.data))
  if (await hasNewPassword(tx, staff, row)) refuse('conflict', deskTexts.changeBeforePassword)
  await applyDetails(tx, staff, row.member_id, read.data, { request: String(row.number) })
}

async function hasNewPassword(tx: Tx, staff: Staff, { member_id, created_at }: RequestRow): Promise<boolean> {
  const found = await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', member_id)
    .where('password_changed_at', '>', created_at)
    .executeTakeFirst()
  return found !== undefined
}

/** A form of such a type must ask for the new details, or there is nothing to approve. Locks the form. */
export async function requireChangeFields(
  tx: Tx,
  staff: Staff,
  formId: string | null,
  changes: DetailChange,
): Promise<void> {
  const missing = missingChangeFields(formId === null ? null : await readNewest(tx, staff, formId), changes)
  if (missing.length === 0) return
  const names = Object.keys(changeFields[changes])
  refuseFields({ form: [deskTexts.changeFieldsMissing.replace('{{fields}}', names.join(', '))] })
}

async function readNewest(tx: Tx, staff: Staff, formId: string): Promise<FormDefinition> {
  const { current_version } = await tx
    .selectFrom('forms')
    .select('current_version')
    .where('workspace_id', '=', staff.workspaceId)
    .where('form_id', '=', formId)
    // A concurrent publishing waits, and finds the type; or this waits, and reads the version published.
    .forShare()
    .executeTakeFirstOrThrow(() => refuse('invalid_input', deskTexts.formUnknown))
  return readVersion(tx, staff, { formId, version: current_version })
}

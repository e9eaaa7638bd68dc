import type { FormDraft, saveDraft as saveCall } from '@atrium/contract/forms/calls.ts'
import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { fileFields } from '@atrium/contract/forms/field-files.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { submissionTexts } from '@atrium/contract/requests/texts.ts'
import { z } from 'zod'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { sortedJson } from '../foundation/sorted-json.ts'
import { isDone } from '../sessions/unique-token.ts'
import { definitionOf, findShownForm, readVersion } from './form.ts'
import { dropDraft } from './submission.ts'

type OwnDraft = { draft: FormDraft | null; definition: FormDefinition | null; current_version: number }

/** The member's draft of a form, with the definition of its version if that is no longer current. */
export function readOwnDraft(member: Member, formId: string): Promise<OwnDraft> {
  authorize(member, 'requests', 'documents')
  return reading(member, async (tx) => {
    const form = (await findShownForm(tx, member, formId)) ?? refuseNotFound()
    const row = await selectDraft(tx, member, formId).executeTakeFirst()
    const isOlder = row !== undefined && row.version !== form.current_version
    return {
      draft: row
        ? {
            _id: row.draft_id,
            form: formId,
            version: row.version,
            answers: row.answers as FormDraft['answers'],
            step: row.step,
            revision: row.revision,
            saved_at: row.saved_at.getTime(),
          }
        : null,
      definition: isOlder ? await readVersion(tx, member, { formId, version: row.version }) : null,
      current_version: form.current_version,
    }
  })
}

function selectDraft(tx: Tx, member: Member, formId: string) {
  return tx
    .selectFrom('form_drafts')
    .selectAll()
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('form_id', '=', formId)
}

type Input = z.output<(typeof saveCall)['input']>
type Saved = { _id: string; revision: number; saved_at: number }

/**
 * Saves a draft without validation; the client names the revision that it continues, so that changes of another device
 * are not overwritten. Turning a page changes no answer and leaves the revision, so that it causes no conflict on
 * another device.
 */
export async function saveOwnDraft(member: Member, input: Input): Promise<Saved> {
  authorize(member, 'requests', 'documents')
  return inTransaction(member, async (tx) => {
    await holdMember(tx, member, member.memberId)
    if (await wasSent(tx, member, input)) refuseSent()
    const form = (await findShownForm(tx, member, input.form)) ?? refuseNotFound()
    const before = await selectDraft(tx, member, input.form).executeTakeFirst()
    if (input.version !== form.current_version && input.version !== before?.version)
      refuse('conflict', submissionTexts.formChanged, { errors: { version: [submissionTexts.formChanged] } })
    if (before && isSame(before, input)) return shape(before)
    if ((before?.revision ?? null) !== input.revision) refuse('conflict', submissionTexts.draftElsewhere)
    const { form: formId, version } = input
    const isCurrent = version === form.current_version
    const definition = isCurrent ? definitionOf(form) : await readVersion(tx, member, { formId, version })
    const values = {
      version: input.version,
      answers: JSON.stringify(input.answers),
      media_ids: storedFilesIn(definition, input.answers),
      step: input.step,
      revision: before && hasSameAnswers(before, input) ? before.revision : (before?.revision ?? 0) + 1,
      saved_at: member.context.clock.now(),
    }
    const key = { workspace_id: member.workspaceId, member_id: member.memberId, form_id: input.form }
    const draft_id = before?.draft_id ?? newId()
    if (before) {
      await tx
        .updateTable('form_drafts')
        .set(values)
        .where('workspace_id', '=', member.workspaceId)
        .where('member_id', '=', member.memberId)
        .where('form_id', '=', input.form)
        .execute()
    } else {
      await tx
        .insertInto('form_drafts')
        .values({ ...key, draft_id, ...values })
        .execute()
      // Only the start of a draft is recorded, not every save.
      await audit(tx, member, {
        action: 'form.draft-begun',
        subject: { kind: 'form', id: input.form },
        after: { version: input.version },
      })
    }
    return shape({ draft_id, ...values })
  })
}

/**
 * Checked with the member's row locked: a submission still in flight runs after this save and finds the draft, and then it is
 * refused or deletes the draft.
 */
const wasSent = async (tx: Tx, member: Member, { nonce_token: token }: Input): Promise<boolean> =>
  token !== undefined && isDone(tx, member, { token, purpose: 'form_submit' })

function refuseSent(): never {
  refuse('conflict', submissionTexts.nothingLeft, { errors: { nonce_token: [submissionTexts.nothingLeft] } })
}

type Row = { draft_id: string; revision: number; saved_at: Date }
const shape = ({ draft_id, revision, saved_at }: Row): Saved => ({
  _id: draft_id,
  revision,
  saved_at: saved_at.getTime(),
})

type Before = { answers: unknown; version: number; step: number; revision: number }

/** A repeated save whose first answer was lost. */
function isSame(before: Before, input: Input): boolean {
  const isNext = before.revision === (input.revision ?? 0) + 1
  return isNext && before.step === input.step && hasSameAnswers(before, input)
}

const hasSameAnswers = (before: Before, { version, answers }: Input): boolean =>
  before.version === version && sortedJson(before.answers) === sortedJson(answers)

/**
 * The files of the answers, which are not swept while the draft exists: of each field as many as it takes, since drafts would
 * otherwise keep any number of files that the quota no longer counts.
 */
function storedFilesIn(definition: FormDefinition, answers: Input['answers']): string[] {
  const fields = definition.steps.flatMap((step) => step.fields).filter(({ type }) => fileFields.includes(type))
  const lists = fields.map(({ type, config, input_name }) => {
    const answer = Object.hasOwn(answers, input_name) ? answers[input_name] : undefined
    const given = [answer].flat().filter((value) => z.uuid().safeParse(value).success)
    // A repeated id is one file, and must not push another one out of the limit.
    const ids = [...new Set(given.map((id) => String(id).toLowerCase()))]
    return ids.slice(0, type === 'files' ? (config.count_max ?? formLimits.filesMax) : 1)
  })
  return [...new Set(lists.flat())]
}

/** A no-op without a draft. */
export async function discardOwnDraft(member: Member, formId: string): Promise<void> {
  authorize(member, 'requests', 'documents')
  await inTransaction(member, async (tx) => {
    await holdMember(tx, member, member.memberId)
    const wasThere = await dropDraft(tx, member, formId)
    if (wasThere) await audit(tx, member, { action: 'form.draft-discarded', subject: { kind: 'form', id: formId } })
  })
}

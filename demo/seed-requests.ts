import { checkAnswers, draftAnswers } from '@atrium/contract/forms/answers.ts'
import type { ReadyMadeForm } from '@atrium/contract/forms/form-parts.ts'
import { readyMadeForms } from '@atrium/contract/forms/ready-made.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { System } from '../server/foundation/actor.ts'
import { nextNumber } from '../server/foundation/database/counters.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { addReadyMadeForm } from '../server/requests/usual-types.ts'
import { requestTypes } from './requests.ts'

type People = { member: string; staff: string; others?: string[] }
const staffName = 'Nora Vella'
const dayMs = 86_400_000

type Last = { status: string; daysAgo: number; comment?: string; answers?: object }
type Key = { workspace_id: string; request_type_id: string }
type Made = { key: Key; name: string; description: string | null; form: (ReadyMadeForm & { id: string }) | null }

/** Adds forms, ordered request types, the member's last request of each type, and drafts. */
export async function addRequests(tx: Tx, system: System, people: People): Promise<void> {
  const now = system.context.clock.now().getTime()
  const created_at = new Date(now - 400 * dayMs)
  const forms = new Map<string, ReadyMadeForm & { id: string }>()
  for (const form of readyMadeForms)
    forms.set(form.key, { ...form, id: await addReadyMadeForm(tx, system, form, created_at) })
  const asked: { made: Made; last: Last }[] = []
  for (const [position, { name, description, quick, last, ...more }] of requestTypes.entries()) {
    const key = { workspace_id: system.workspaceId, request_type_id: newId() }
    const predefined_type = 'predefined' in more ? more.predefined : null
    const form = ('form' in more && forms.get(more.form)) || null
    await tx
      .insertInto('request_types')
      .values({
        ...{ ...key, name, description, predefined_type, form_id: form?.id ?? null },
        ...{ is_quick_link: quick, position, created_at, changes: 'changes' in more ? more.changes : null },
      })
      .execute()
    if (last) asked.push({ made: { key, name, description, form }, last })
    if ('begun' in more && form) await addDraft(tx, system, { memberId: people.member, form, begun: more.begun })
  }
  if (people.others?.length) await addRequestsOfOthers(tx, system, { ...people, others: people.others })
  for (const { made, last } of asked) await addRequest(tx, system, people, made, last)
}

const statuses = ['done', 'done', 'done', 'rejected', 'done', 'canceled', 'in-progress', 'not-assigned'] as const

/** Adds a year of decided requests and some pending ones, with one statement per table. */
async function addRequestsOfOthers(tx: Tx, system: System, { member, staff, others }: Required<People>): Promise<void> {
  const workspace_id = system.workspaceId
  const now = system.context.clock.now().getTime()
  const types = await tx
    .selectFrom('request_types')
    .select(['request_type_id', 'name', 'description'])
    .where('workspace_id', '=', workspace_id)
    .where('form_id', 'is', null)
    .orderBy('position')
    .execute()
  const askers = [...others, ...others, ...Array.from({ length: limits.requestsPageSize }, () => member)]
  const planned = askers.map((member_id, index) => {
    // The first member's pending requests are listed elsewhere.
    const status = member_id === member ? 'done' : (statuses[index % statuses.length] ?? 'done')
    const isEnded = status === 'done' || status === 'rejected' || status === 'canceled'
    const daysAgo = isEnded ? 8 + (index % 44) * 5 : 1 + index / 12
    const type = types[index % types.length]
    return { member_id, status, type, daysAgo: member_id === member ? 60 + (index % 35) * 5 : daysAgo }
  })
  planned.sort((left, right) => right.daysAgo - left.daysAgo)
  const first = 1001
  await tx
    .insertInto('counters')
    .values({ workspace_id, name: 'request', value: first - 1 + planned.length })
    .execute()
  const rows = planned.map(({ member_id, status, type, daysAgo }, index) => {
    const created_at = new Date(now - daysAgo * dayMs)
    const isHeld = status !== 'not-assigned' && status !== 'canceled'
    return {
      ...{ workspace_id, request_id: newId(), member_id, request_type_id: type?.request_type_id ?? '' },
      number: String(first + index),
      ...{ subject: type?.name ?? '', description: type?.description ?? null, status, created_at },
      status_since: new Date(created_at.getTime() + (status === 'not-assigned' ? 0 : dayMs / 3)),
      comment: status === 'done' ? 'Done, thank you for asking.' : null,
      assigned_staff_id: isHeld ? staff : null,
      assigned_staff_name: isHeld ? staffName : null,
    }
  })
  await tx.insertInto('requests').values(rows).execute()
  const events = rows.flatMap(({ workspace_id, request_id, member_id, created_at, status_since, status, comment }) => {
    const key = { workspace_id, request_id, member_id }
    const sent = { ...key, event_id: newId(), kind: 'sent', to_status: 'not-assigned', at: created_at }
    if (status === 'not-assigned') return [sent]
    const by = status === 'canceled' ? {} : { staff_id: staff, staff_name: staffName }
    const moved = { kind: 'moved', from_status: 'not-assigned', to_status: status, at: status_since, comment, ...by }
    return [sent, { ...key, event_id: newId(), ...moved }]
  })
  await tx.insertInto('request_events').values(events).execute()
}

type Begun = { answers: object; step: number; daysAgo: number }
type Draft = { memberId: string; form: ReadyMadeForm & { id: string }; begun: Begun }

async function addDraft(tx: Tx, system: System, { memberId, form, begun }: Draft): Promise<void> {
  const answers = draftAnswers(form.definition, { ...begun.answers })
  if (Object.keys(answers).length !== Object.keys(begun.answers).length)
    throw new Error(`The draft of the demo does not fit ${form.name}`)
  await tx
    .insertInto('form_drafts')
    .values({
      ...{ workspace_id: system.workspaceId, member_id: memberId, form_id: form.id, draft_id: newId(), version: 1 },
      ...{ answers: JSON.stringify(answers), step: begun.step, revision: 1 },
      saved_at: new Date(system.context.clock.now().getTime() - begun.daysAgo * dayMs),
    })
    .execute()
}

async function addRequest(tx: Tx, system: System, people: People, made: Made, last: Last): Promise<void> {
  const at = new Date(system.context.clock.now().getTime() - last.daysAgo * dayMs)
  const isHeld = last.status !== 'not-assigned' && last.status !== 'canceled'
  const keys = { workspace_id: system.workspaceId, request_id: newId(), member_id: people.member }
  const form = last.answers ? made.form : null
  await tx
    .insertInto('requests')
    .values({
      ...keys,
      request_type_id: made.key.request_type_id,
      number: await nextNumber(tx, system, 'request'),
      subject: made.name,
      description: made.description,
      status: last.status,
      comment: last.comment ?? null,
      ...(isHeld && { assigned_staff_id: people.staff, assigned_staff_name: staffName }),
      ...(form && { form_id: form.id, form_version: 1 }),
      status_since: at,
      created_at: at,
    })
    .execute()
  const event = { ...keys, at }
  await tx
    .insertInto('request_events')
    .values([
      { ...event, event_id: newId(), kind: 'sent', to_status: 'not-assigned' },
      ...(last.status === 'not-assigned'
        ? []
        : [
            {
              ...{ ...event, event_id: newId(), kind: 'moved', from_status: 'not-assigned', to_status: last.status },
              comment: last.comment ?? null,
              ...(isHeld && { staff_id: people.staff, staff_name: staffName }),
            },
          ]),
    ])
    .execute()
  if (form) await addAnswers(tx, keys, form, { entered: last.answers ?? {}, at })
}

type Keys = { workspace_id: string; request_id: string; member_id: string }

async function addAnswers(
  tx: Tx,
  keys: Keys,
  { id, name, definition }: ReadyMadeForm & { id: string },
  { entered, at }: { entered: object; at: Date },
): Promise<void> {
  const checked = checkAnswers(definition, { ...entered }, { today: at.toISOString().slice(0, 10) })
  if (!checked.ok) throw new Error(`The answers of the demo do not fit ${name}: ${JSON.stringify(checked.errors)}`)
  await tx
    .insertInto('form_answers')
    .values({
      ...keys,
      ...{ answers_id: newId(), form_id: id, version: 1, submitted_at: at },
      answers: JSON.stringify(checked.accepted),
      sent: JSON.stringify(checked.named),
      score: checked.scores?.total ?? null,
      band: checked.scores?.band ? JSON.stringify(checked.scores.band) : null,
    })
    .execute()
}

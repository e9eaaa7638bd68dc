import assert from 'node:assert/strict'
import { breakCommits, type Change, changesSince, restoreCommits } from '../catalogue/watched-changes.ts'
import { type CallRoute, type EveryCall, prepare, send } from './fixture.ts'
import { withForeignFields } from './privileged-fields.ts'
import type { ValidRequest } from './valid-requests/valid-request.ts'

/**
 * Every change is recorded: a call's changes, its audit entry and its member's notification commit or fail together. Triggers
 * on every table record the changes, so a new table is covered automatically.
 */
export async function tryEffects(fixture: EveryCall, route: CallRoute, request: ValidRequest): Promise<void> {
  const { owner } = fixture
  const { facts } = route
  if (facts.audit) {
    await breakCommits(owner)
    const broken = await send(fixture, route, request).finally(() => restoreCommits(owner))
    assert.equal(broken.status, 500, broken.raw)
    assert.deepEqual(await changesSince(owner), [], 'a failed call left changes')
  }
  await notificationsSince(fixture)
  const check = await withForeignFields(fixture, route, request)
  const answer = await send(fixture, route, check.request)
  assert.equal(answer.status, 200, answer.raw)
  await check.assertUntouched()
  const changes = await changesSince(owner)
  const notified = await notificationsSince(fixture)
  assertRecorded(changes, route, request)

  const { status, raw } = await send(fixture, route, request)
  assert.ok(status < 500, raw)
  const again = await changesSince(owner)
  if (facts.idempotent) assert.deepEqual(again, [], `sent twice, it answered ${raw}`)
  const kinds = [...(facts.notifies ?? [])]
  const wanted = { kinds, mailed: kinds.length }
  const twice = facts.notifiesAgain ? wanted : { kinds: [], mailed: 0 }
  assert.deepEqual([notified, await notificationsSince(fixture)], [wanted, twice])
}

function assertRecorded(changes: Change[], { facts, call }: CallRoute, { actorId, proves }: ValidRequest): void {
  const { audit = [], touches } = facts
  const actions = changes.flatMap(({ entries }) => entries.map(({ action }) => action))
  assert.deepEqual(actions.sort(), [...audit].sort())
  const touched = [...new Set(changes.flatMap(({ tables }) => tables))].sort()
  if (touches) assert.deepEqual(touched, touches)
  if (touches) return
  const actor = proves ? [proves.kind, proves.id] : [actorId === null ? 'system' : call.access, actorId]
  for (const { tables: changed, entries } of changes) {
    assert.ok(entries.length > 0, `${changed} changed without an audit entry`)
    for (const { actor_kind, actor_id, action } of entries) assert.deepEqual([actor_kind, actor_id], actor, action)
  }
}

/** Five concurrent repeats, as from a double click or a network retry: done once, or intended anew each time. */
export async function tryAtOnce(fixture: EveryCall, route: CallRoute, request: ValidRequest): Promise<void> {
  const { facts } = route
  await notificationsSince(fixture)
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(fixture, route, request)))
  for (const { status, raw } of answers) assert.ok(status < 500, raw)
  assert.ok(
    answers.some(({ status }) => status === 200),
    `five at once: ${answers[0]?.raw}`,
  )
  const changes = await changesSince(fixture.owner)
  if (facts.repeats) return
  assert.ok(changes.length <= (facts.commits ?? 1), `five at once: ${JSON.stringify(changes)}`)
  assert.deepEqual((await notificationsSince(fixture)).kinds, [...(facts.notifies ?? [])], 'five at once')
}

/** The newest notification already read; ids are in order of time. */
const newest = new WeakMap<EveryCall, string>()

/** The kinds of notification since the last call, and how many of them were mailed. */
async function notificationsSince(fixture: EveryCall): Promise<{ kinds: string[]; mailed: number }> {
  const { rows } = await fixture.owner.query<{ notice_id: string; kind: string; mailed: boolean }>(
    `select notice_id, kind, exists (select from mails where mails.workspace_id = notices.workspace_id
      and mails.dedupe_key = notices.member_id::text || ':' || notices.dedupe_key) as mailed
    from notices where notice_id > $1 order by notice_id`,
    [newest.get(fixture) ?? '00000000-0000-0000-0000-000000000000'],
  )
  const last = rows.at(-1)
  if (last) newest.set(fixture, last.notice_id)
  return { kinds: rows.map(({ kind }) => kind).sort(), mailed: rows.filter(({ mailed }) => mailed).length }
}

/** A read leaves nothing behind except the audit entry of an export. */
export async function tryReading(fixture: EveryCall, route: CallRoute): Promise<void> {
  const answer = await send(fixture, route, await prepare(fixture, route))
  assert.equal(answer.status, 200, answer.raw)
  const changes = await changesSince(fixture.owner)
  const actions = changes.flatMap(({ entries }) => entries.map(({ action }) => action))
  const { audit = [], touches = ['audit_links', 'audit_log'] } = route.facts
  assert.deepEqual(actions, audit)
  for (const { tables } of changes) assert.deepEqual(tables, touches)
}

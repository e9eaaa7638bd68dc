// spec: DK payments
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  creditsOf,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  sendZotaWebhook,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { deskWebhookEvents, readRawWebhookEvent, replayWebhookEvent } from './desk-webhook-events.ts'

describe('provider webhook events at the desk', () => {
  let setup: PaymentFixture
  let attempt: string
  let order: string
  before(async () => {
    setup = await openPaymentFixture()
    const started = await startOrder(setup)
    attempt = started.attempt
    order = started.order
    setup.zota.set(attempt, 'APPROVED')
    await setup.zota.notify(attempt)
    await setup.zota.notify(attempt)
    await setup.zota.notify(attempt, { secretKey: 'somebody-elses' })
    await sendZotaWebhook(setup, attempt, { attempt: 'dep-000000000000000000000000' })
  })
  after(() => setup.close())

  type Filters = Partial<Parameters<typeof deskWebhookEvents.read>[1]>
  const list = async (filters: Filters = {}, staff = setup.staff) =>
    (await deskWebhookEvents.read(staff, { limit: 100, ...filters })).notifications

  it('are listed newest first, in pages, by verdict, provider, day and id', async () => {
    const all = await list()
    assert.deepEqual(
      all.map(({ verdict, outcome, times }) => [verdict, outcome, times]),
      [
        ['unverified', 'unknown_order', 1],
        ['wrong_signature', 'refused', 1],
        ['unverified', 'applied', 2],
      ],
    )
    const first = await deskWebhookEvents.read(setup.staff, { limit: 2 })
    assert.deepEqual(
      (await list({ before: String(first.next) })).map(({ _id }) => _id),
      [all[2]?._id],
    )
    const count = async (filters: Filters) => (await list(filters)).length
    assert.deepEqual(
      [await count({ kind: 'forged' }), await count({ kind: 'unknown_order' }), await count({ kind: 'unverified' })],
      [1, 1, 2],
    )
    assert.deepEqual([await count({ provider: 'safecharge' }), await count({ provider: 'zotapay' })], [0, 3])
    const { reference } = await readOrder(setup, order)
    assert.deepEqual(
      [await count({ q: attempt }), await count({ q: String(reference) }), await count({ q: 'x' })],
      [1, 1, 0],
    )
    assert.equal(await count({ from: Date.now() + 10 * 86_400_000_000 }), 0)
  })

  it('are shown unchanged, and each view is audited', async () => {
    const [genuine] = await list({ q: attempt })
    const shown = await readRawWebhookEvent(setup.staff, String(genuine?._id))
    assert.equal(shown.raw, setup.zota.webhookEventOf(attempt))
    const entry = await reading(setup.system, (tx) =>
      tx
        .selectFrom('audit_log')
        .select(['actor_id', 'subject_id'])
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('action', '=', 'payment-notification.viewed')
        .executeTakeFirst(),
    )
    assert.deepEqual([entry?.actor_id, entry?.subject_id], [setup.staff.staffId, genuine?._id])
  })

  it('can be replayed without crediting again', async () => {
    const [genuine] = await list({ q: attempt })
    const id = String(genuine?._id)
    const before = await creditsOf(setup)
    await replayWebhookEvent(setup.staff, id)
    await replayWebhookEvent(setup.staff, id)
    await readWebhookEvents(setup)
    assert.equal((await list({ q: attempt }))[0]?.outcome, 'repeated')
    assert.deepEqual(await creditsOf(setup), before)
  })

  it('are hidden without the right and from another workspace', async () => {
    const [genuine] = await list({ q: attempt })
    const id = String(genuine?._id)
    const viewer = staffActor(setup.system, await addStaff(setup.system, { role: 'viewer' }))
    await assert.rejects(replayWebhookEvent(viewer, id), { code: 'not_permitted' })
    const other = await addWorkspace(setup.context, { subdomain: 'elsewhere' })
    const theirs = staffActor(other, await addStaff(other))
    assert.deepEqual(await list({}, theirs), [])
    await assert.rejects(readRawWebhookEvent(theirs, id), { code: 'not_found' })
    await assert.rejects(replayWebhookEvent(theirs, id), { code: 'not_found' })
  })
})

// spec: DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import { startClamd } from '../../simulators/clamd/server.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addFileCategory } from '../../tests/fixtures/documents.ts'
import { addOffered, addressAnswers } from '../../tests/fixtures/forms.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import * as sample from '../../tests/fixtures/sample-files.ts'
import { addTicket } from '../../tests/fixtures/tickets.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  memberActor,
  openTestSession,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { addDocuments } from '../documents/add-documents.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { sendRequest } from '../requests/send.ts'
import { respondToTicket } from '../tickets/respond.ts'
import { openClamd } from './clamd.ts'
import { fileJobs } from './jobs.ts'
import { findMedia } from './queries.ts'
import { scanWaiting } from './scanning.ts'

let made: MadeContext
let app: FastifyInstance
let caller: Caller
let clamd: Awaited<ReturnType<typeof startClamd>>
let system: System
let member: Member
let token: string
let desk: string

before(async () => {
  clamd = await startClamd()
  made = await makeTestContext()
  made.context.scanner = openClamd(clamd.address, 3_000)
  app = await buildApp(made.context)
  caller = callerOf(app)
  system = await addWorkspace(made.context, { isDefault: true })
  member = await memberActor(system, (await addMember(system)).memberId)
  token = (await openTestSession(system, { kind: 'member', id: member.memberId })).token
  desk = (await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })).token
})
after(async () => {
  await app.close()
  await made.close()
  await clamd.close()
})

type Held = { query: string; deskPath: string }

async function inDocuments(media: string): Promise<Held> {
  const category = await addFileCategory(system)
  const {
    documents: [id],
  } = await addDocuments(member, {
    documents: [media],
    category: category.id,
    valid_document: category.validDocuments[0],
  })
  return { query: `{ documents(category: "${category.id}") { scan } }`, deskPath: `/desk/api/documents/${id}` }
}

async function inTicket(media: string): Promise<Held> {
  const id = await addTicket(member)
  await respondToTicket(member, id, { type: 'attachment', content: 'Here it is', attachment: media })
  const query = `{ tickets(_id: "${id}") { conversation { attachment { scan } } } }`
  return { query, deskPath: `/desk/api/tickets/${id}` }
}

async function inDeposit(media: string): Promise<Held> {
  const { memberId, workspaceId } = member
  const accountId = await addAccount(system, { memberId, platformId: await addPlatform(system) })
  const id = await addTransaction(member, { memberId, accountId })
  const created_at = made.context.clock.now()
  const values = { workspace_id: workspaceId, transaction_id: id, media_id: media, member_id: memberId, created_at }
  await inTransaction(member, (tx) => tx.insertInto('transaction_attachments').values(values).execute())
  return {
    query: `{ balance_transactions(_id: "${id}") { attachments { scan } } }`,
    deskPath: `/desk/api/deposits/${id}`,
  }
}

async function inForm(media: string): Promise<Held> {
  const { formId, typeId } = await addOffered(system)
  const data = { ...addressAnswers, proofs: [media] }
  const sent = await sendRequest(member, { request: { request_type: typeId }, form_submit: { form: formId, data } })
  return { query: '', deskPath: `/desk/api/requests/${sent._id}` }
}

const held = (scan: string) =>
  addMedia(system, { memberId: member.memberId, purpose: 'document', scan, content: sample.makePdf() })

it('approves no document whose file is served to nobody', async () => {
  const { deskPath } = await inDocuments(await held('waiting'))
  const verify = () => caller.post(`${deskPath}/verify`, {}, desk)
  const setScan = (scan: string) =>
    inTransaction(system, (tx) => tx.updateTable('media').where(here).set({ scan }).execute())
  for (const [scan, said] of [
    ['waiting', fileTexts.fileVerifying],
    ['infected', fileTexts.fileInfected],
  ] as const) {
    await setScan(scan)
    const refused = await verify()
    assert.deepEqual([refused.status, refused.body.error], [409, said])
  }
  assert.equal((await caller.post(`${deskPath}/reject`, { reason: 'A virus' }, desk)).status, 200)
  await setScan('clean')
  assert.equal((await verify()).status, 200)
})

describe('a file that waits for a scanner which was removed', () => {
  let media: string
  let deskPath: string
  beforeEach(async () => {
    media = await held('waiting')
    deskPath = (await inDocuments(media)).deskPath
  })
  const withoutScanner = async (work: () => Promise<void>) => {
    const known = made.context.scanner
    made.context.scanner = null
    await work().finally(() => {
      made.context.scanner = known
    })
  }
  const release = (by = desk, body: object = { reason: 'Opened on a separate machine.' }) =>
    caller.post(`${deskPath}/release-file`, body, by)
  const verify = () => caller.post(`${deskPath}/verify`, {}, desk)
  const read = async () => (await caller.get(deskPath, desk)).body.document as { file: Record<string, unknown> }
  const entries = () =>
    reading(system, (tx) =>
      tx.selectFrom('audit_log').where(here).select(['action', 'after']).where('subject_id', '=', media).execute(),
    )

  it('says why it is closed, opens by staff with a reason, and can then be decided about', async () => {
    await withoutScanner(async () => {
      const { file } = await read()
      assert.deepEqual([file.scan, file.is_unscannable], ['waiting', true])
      const refused = await verify()
      assert.deepEqual([refused.status, refused.body.error], [409, deskTexts.documentUnscanned])
      const closed = await caller.get(String(file.url), token)
      assert.deepEqual([closed.status, closed.body.error], [409, fileTexts.fileUnscanned])
      assert.equal((await release(desk, {})).status, 422)
      for (const _ of [1, 2]) assert.equal((await release()).status, 200)
      assert.deepEqual(await entries(), [
        { action: 'file.released', after: { scan: 'none', reason: 'Opened on a separate machine.' } },
      ])
      assert.deepEqual((await read()).file.is_unscannable, false)
      assert.equal((await caller.get(String(file.url), token)).status, 200)
      assert.equal((await verify()).status, 200)
    })
  })

  it('opens in the same way wherever it is used, for those who may release it', async () => {
    const { staffId } = await addStaff(system, { role: 'support' })
    const support = (await openTestSession(system, { kind: 'staff', id: staffId })).token
    await withoutScanner(async () => {
      for (const [purpose, attach, name] of [
        ['ticket', inTicket, 'ticket'],
        ['receipt', inDeposit, 'deposit'],
        ['form', inForm, 'request'],
      ] as const) {
        const file = await addMedia(system, { memberId: member.memberId, purpose, scan: 'waiting' })
        const place = (await attach(file)).deskPath
        const shown = async (by: string) => {
          const { body, raw } = await caller.get(place, by)
          assert.ok(body[name], raw)
          return [/"is_unscannable":(\w+)/.exec(raw)?.[1], /"may_release":(\w+)/.exec(raw)?.[1]]
        }
        const open = (by: string) => caller.post(`/desk/api/files/${file}/release`, { reason: 'Opened elsewhere.' }, by)
        assert.deepEqual(
          [await shown(desk), await shown(support)],
          [
            ['true', 'true'],
            ['true', 'false'],
          ],
          name,
        )
        assert.equal((await open(support)).status, 403)
        for (const _ of [1, 2]) assert.equal((await open(desk)).status, 200, name)
        assert.deepEqual(await shown(desk), ['false', 'false'], name)
      }
      assert.equal((await caller.post(`/desk/api/files/${newId()}/release`, { reason: 'Any' }, desk)).status, 404)
    })
    const other = await held('waiting')
    const answer = await caller.post(`/desk/api/files/${other}/release`, { reason: 'Too early' }, desk)
    assert.deepEqual([answer.status, answer.body.error], [409, deskTexts.documentScanning])
  })

  it('stays closed while a scanner is connected, which checks it', async () => {
    const answer = await release()
    assert.deepEqual([answer.status, answer.body.error], [409, deskTexts.documentScanning])
    assert.equal((await read()).file.is_unscannable, false)
    await scanWaiting(system, media)
    assert.equal((await read()).file.scan, 'clean')
  })

  it('stays closed when it was found infected, and for staff without the right', async () => {
    const { staffId } = await addStaff(system, { role: 'support' })
    const support = (await openTestSession(system, { kind: 'staff', id: staffId })).token
    await withoutScanner(async () => {
      assert.equal((await release(support)).status, 403)
      await inTransaction(system, (tx) =>
        tx.updateTable('media').where(here).set({ scan: 'infected' }).where('media_id', '=', media).execute(),
      )
      const answer = await release()
      assert.deepEqual([answer.status, answer.body.error], [409, fileTexts.fileInfected])
    })
  })

  it('is queued for a scan by the sweep only while there is a scanner', async () => {
    const queued: string[] = []
    const jobs = { ...made.context.jobs, enqueue: async (_: unknown, queue: string) => void queued.push(queue) }
    const sweep = (context: typeof made.context) =>
      fileJobs({ ...context, jobs: jobs as never })['files.sweep-uploads']?.({
        workspaceId: system.workspaceId,
        id: system.workspaceId,
      })
    await withoutScanner(async () => sweep(made.context))
    assert.deepEqual(queued, [])
    await sweep(made.context)
    assert.ok(queued.length > 0 && queued.every((queue) => queue === 'files.scan'))
  })
})

it('of which there are many are all queued for a scan, however many come before', async () => {
  const crowded = await addWorkspace(made.context)
  const first = await addMedia(crowded, { memberId: (await addMember(crowded)).memberId, scan: 'waiting' })
  const ids = [first]
  await inTransaction(crowded, async (tx) => {
    const rows = tx.selectFrom('media').selectAll().where('workspace_id', '=', crowded.workspaceId)
    const row = await rows.where('media_id', '=', first).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 1_001 }, () => newId()).map((id) => ({ ...row, media_id: id, storage_key: id }))
    ids.push(...copies.map(({ media_id }) => media_id))
    await tx.insertInto('media').values(copies).execute()
  })
  const queued: string[] = []
  const enqueue = async (_tx: unknown, _queue: string, { id }: { id: string }) => void queued.push(id)
  const context = { ...made.context, jobs: { ...made.context.jobs, enqueue: enqueue as never } }
  const { workspaceId } = crowded
  await fileJobs(context)['files.sweep-uploads']?.({ workspaceId, id: workspaceId })
  assert.deepEqual(queued.sort(), ids.sort())
})

it('opens for no role without the right to read members', async () => {
  const media = await held('clean')
  const staff = staffActor(system, await addStaff(system))
  assert.equal((await findMedia(staff, media))?.media_id, media)
  assert.equal(await findMedia({ ...staff, role: 'trainee' }, media), null)
})

it('attaches no file that was found infected after its upload', async () => {
  for (const attach of [inDocuments, inTicket])
    await assert.rejects(attach(await held('infected')), (problem) => problem instanceof Refusal)
})

/** The scan result in the answer, wherever it appears. */
const saidOf = (raw: string) => [...raw.matchAll(/"scan":"(\w+)"/g)].map(([, scan]) => scan)

for (const [place, purpose, attach] of [
  ['a document', 'document', inDocuments],
  ['an attachment of a ticket', 'ticket', inTicket],
  ['a receipt of a deposit', 'receipt', inDeposit],
] as const)
  it(`shows the scan result of ${place} to the member and the desk`, async () => {
    const media = await addMedia(system, {
      memberId: member.memberId,
      ...{ purpose, scan: 'waiting', content: sample.makePdf() },
    })
    const { query, deskPath } = await attach(media)
    const answers = async () => {
      const asked = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
      const seen = await caller.get(deskPath, desk)
      assert.deepEqual([asked.status, seen.status], [200, 200], asked.raw + seen.raw)
      return [saidOf(asked.raw), saidOf(seen.raw)]
    }
    assert.deepEqual(await answers(), [['waiting'], ['waiting']])
    await scanWaiting(system, media)
    assert.deepEqual(await answers(), [['clean'], ['clean']])
    const change = { scan: 'infected' }
    await inTransaction(system, (tx) =>
      tx.updateTable('media').where(here).set(change).where('media_id', '=', media).execute(),
    )
    assert.deepEqual(await answers(), [['infected'], ['infected']])
  })

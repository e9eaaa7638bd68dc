// spec: DK documents
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addDocument, addDocumentRequest, addFileCategory } from '../../tests/fixtures/documents.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { verifyDocument } from './decision.ts'
import { watchExpiry } from './expiry.ts'
import { readKycDocuments, readRequirements } from './requirements.ts'

let made: MadeContext
let owner: pg.Client
let watcher: pg.Client

before(async () => {
  made = await makeTestContext()
  ;[owner, watcher] = await Promise.all([made.openOwner(), made.openOwner()])
})
after(() => made.close())

test('a document that is revoked while the round runs is not announced as expiring', async () => {
  const system = await addWorkspace(made.context)
  const staff = staffActor(system, await addStaff(system, { role: 'compliance' }))
  const category = await addFileCategory(system, { validDocuments: [{ name: 'Passport', expires: true }] })
  const { memberId } = await addMember(system)
  const tomorrow = new Date(made.context.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
  const id = await addDocument(system, { memberId, category, expires_on: tomorrow })
  await verifyDocument(staff, id)
  await owner.query('begin')
  await owner.query(`update documents set status = 'pending', unverify_reason = 'Forged' where document_id = $1`, [id])
  const round = watchExpiry(system)
  await untilWaiting(watcher, 1)
  await owner.query('commit')
  await round
  const { rows } = await owner.query('select kind from notices where member_id = $1 order by notice_number', [memberId])
  assert.ok(!rows.some(({ kind }) => kind === 'document.expiring'), JSON.stringify(rows))
})

test('a renewal in verification answers the request that the expiry opens again', async () => {
  const system = await addWorkspace(made.context)
  const staff = staffActor(system, await addStaff(system, { role: 'compliance' }))
  const category = await addFileCategory(system, {
    required: false,
    validDocuments: [{ name: 'Licence', expires: true }],
  })
  const { memberId } = await addMember(system)
  const request = await addDocumentRequest(system, { memberId, category })
  const start = made.context.clock.now()
  const dayIn = (days: number) => new Date(start.getTime() + days * 86_400_000)
  const add = (days: number, answers?: { request: string }) =>
    addDocument(system, { memberId, category, expires_on: dayIn(days).toISOString().slice(0, 10), ...answers })
  const standings = () =>
    reading(system, async (tx) => {
      const needs = await readRequirements(tx, system, await readKycDocuments(tx, system, memberId))
      return needs.map(({ _id, standing }) => [_id, standing])
    })
  await verifyDocument(staff, await add(2, { request }))
  // The mail that asks for a renewal arrives while the request is done.
  const renewal = await add(400)
  made.context.clock.set(dayIn(4))
  await watchExpiry(system)
  assert.deepEqual(await standings(), [[request, 'in_verification']])
  await verifyDocument(staff, renewal)
  assert.deepEqual(await standings(), [])
  made.context.clock.set(start)
})

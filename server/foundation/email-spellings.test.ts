import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { rowsRead } from '../../tests/fixtures/database/rows-read.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from './actor.ts'
import { inTransaction, reading, type Tx } from './database/database.ts'
import { isEmailTaken } from './email-spellings.ts'
import { newId } from './ids.ts'

let made: MadeContext
let system: System
let owner: pg.Client

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
  owner = await made.openOwner()
  await owner.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, emails, password_hash, created_at)
     select $1, gen_random_uuid(), (100000 + n)::text, 'Ada', 'Quay', 'Quay' || n || '@Harbour.test',
       array['other' || n || '@harbour.test'], 'none', now()
     from generate_series(1, 2000) n`,
    [system.workspaceId],
  )
  await owner.query('analyze')
})
after(() => made.close())

const isTaken = (email: string) => reading(system, (tx) => isEmailTaken(tx, system, 'members', email))

test('finds a member by any spelling of the sign-in address, and not by another address of the member', async () => {
  assert.deepEqual(await Promise.all(['quay7@harbour.test', ' QUAY8@harbour.TEST '].map(isTaken)), [true, true])
  assert.deepEqual(await Promise.all(['other7@harbour.test', 'nobody@harbour.test'].map(isTaken)), [false, false])
})

test('finds a member by email without reading the other members of the brokerage', async () => {
  const { programUrl } = made
  const isMeant = (text: string) => text.includes('from "members"')
  const rows = await rowsRead({ programUrl, workspaceId: system.workspaceId, isMeant }, () =>
    isTaken('quay7@harbour.test'),
  )
  assert.ok(rows > 0 && rows < 10, String(rows))
})

test('holds an address in every spelling until its user commits', async () => {
  const isHeld = (tx: Tx, domain: string) => isEmailTaken(tx, system, 'staff_users', `ivo@${domain}`)
  const [unicode, ascii] = ['bücher.example', 'xn--bcher-kva.example'] as const
  let second: Promise<boolean> = Promise.resolve(false)
  await inTransaction(system, async (tx) => {
    assert.equal(await isHeld(tx, unicode), false)
    second = inTransaction(system, (other) => isHeld(other, ascii))
    // Long enough for an answer that does not wait; one that waits is true however long this takes.
    await Promise.race([second, pause(500)])
    const person = { name: 'Ivo', email: `ivo@${unicode}`, password_hash: 'none', created_at: new Date() }
    const key = { workspace_id: system.workspaceId, staff_id: newId() }
    await tx
      .insertInto('staff_users')
      .values({ ...key, ...person })
      .execute()
  })
  assert.equal(await second, true)
})

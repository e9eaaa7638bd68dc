/** The order in which a sign-in locks rows: that of the version before, which may run beside this one. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { untilWaiting } from '../../../tests/fixtures/waiting.ts'
import { addMember, addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { countTries } from '../../foundation/rate-limit.ts'
import { lockPerson, type PersonKey } from '../person.ts'
import { signIn } from '../sign-in.ts'
import { limitOfRightPasswords } from '../sign-in-limits.ts'

let made: MadeContext
let system: System
let watcher: pg.Client
before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context)
  watcher = await made.openOwner()
})
after(() => made.close())

test('a sign-in counts a right password under the lock of the person, so that two never wait for each other', async () => {
  const member = await addMember(system)
  const person: PersonKey = { kind: 'member', id: member.memberId }
  const enter = () => signIn(system, 'member', member, { address: '192.0.2.1', userAgent: null })
  const signing = await inTransaction(system, async (tx) => {
    await lockPerson(tx, system, person)
    const entered = enter()
    entered.catch(() => undefined) // Reported below.
    await untilWaiting(watcher, 1)
    await countTries(tx, system, [limitOfRightPasswords(person, false)])
    return { entered }
  })
  assert.ok('token' in (await signing.entered))
})

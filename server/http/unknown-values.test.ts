import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defineCall } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { open } from './route.ts'

let made: MadeContext
let close: () => Promise<void>
let app: FastifyInstance
/** The rows that a process of the next version left. */
let states: unknown[] = []

before(async () => {
  ;({ made, app, close } = await openAppFixture())
  await addWorkspace(made.context, { isDefault: true })
  const call = defineCall({
    method: 'GET',
    path: '/test/states',
    access: 'anyone',
    input: z.object({}),
    answer: z.object({ status: z.literal('ok'), states: z.array(z.enum(['open', 'closed'])) }),
  })
  open(app, made.context, call, async () => ({ states: states as ['open'] }))
})
after(() => close())

const ask = async () => (await app.inject({ url: '/test/states' })).json()

test('a state that this version does not know is sent on, and any other difference is a fault', async () => {
  states = ['open', 'refused']
  assert.deepEqual(await ask(), { status: 'ok', states: ['open', 'refused'] })
  states = ['open', 1]
  assert.equal((await ask()).code, 'fault')
})

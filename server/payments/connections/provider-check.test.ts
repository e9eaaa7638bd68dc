import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandLine } from '../../../tests/fixtures/command-line.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { addProvider, switchProvider } from '../../../tests/fixtures/payments/payment-providers.ts'
import { addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'
import { checkProviders } from './provider-check.ts'

let made: MadeContext
let north: System
let south: System
before(async () => {
  made = await makeTestContext()
  north = await addWorkspace(made.context, { subdomain: 'north' })
  south = await addWorkspace(made.context, { subdomain: 'south' })
  await addProvider(north, 'skrill', {})
  await addProvider(south, 'safecharge', {})
})
after(() => made.close())

const { admin } = commandLine(() => ({
  databaseUrl: made.ownerUrl,
  folder: made.folder,
}))

test('checks the providers of one workspace and reports failures', async () => {
  const [report, ...others] = await checkProviders(north)
  assert.deepEqual(others, [])
  assert.deepEqual([report?.provider, report?.state, report?.works], ['skrill', 'on', false])
  assert.equal(report?.failure, 'misconfigured')
  assert.deepEqual(await checkProviders(north, 'safecharge'), [])
})

test('the command fails for an enabled provider that does not work, and ignores disabled ones', async () => {
  const alarmed = await admin('provider', 'check', 'north')
  assert.deepEqual(
    [alarmed.code, /^north: skrill does not work \(misconfigured: /.test(alarmed.err)],
    [3, true],
    alarmed.err,
  )
  assert.equal((await admin('provider', 'check', 'north', 'nobody')).code, 2)
  await switchProvider(north, 'skrill', false)
  const calm = await admin('provider', 'check', 'north', '--json')
  assert.equal(calm.code, 0, calm.err)
  assert.deepEqual(
    JSON.parse(calm.out).map(({ workspace, provider, works }: Record<string, unknown>) => [workspace, provider, works]),
    [['north', 'skrill', false]],
  )
})

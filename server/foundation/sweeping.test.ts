import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../testing/child-server.ts'
import { type MadeGround, makeGround } from '../testing/ground.ts'
import { addWorkspace } from '../testing/harbour.ts'
import { startRepeating } from './sweeping.ts'

const logLines: string[] = []
let made: MadeGround
before(async () => {
  made = await makeGround({ logLines })
})
after(() => made.close())

test('what fails in one workspace is told once, and done in all others', async () => {
  for (const subdomain of ['harbour', 'north', 'south']) await addWorkspace(made.ground, { subdomain })
  const [visited, failed]: [string[], string[]] = [[], []]
  const stop = startRepeating(made.ground, 60_000, async ({ workspaceId }) => {
    visited.push(workspaceId)
    if (visited.length > 2) return
    failed.push(workspaceId)
    throw new Error('This brokerage cannot be swept.')
  })
  try {
    await eventually('all were visited', async () => visited.length === 3)
  } finally {
    stop()
  }
  assert.equal(new Set(visited).size, 3)
  const told = logLines.filter((line) => line.includes('sweep failed')).map((line) => JSON.parse(line).workspace)
  assert.deepEqual(told, failed)
})

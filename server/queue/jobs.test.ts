import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

let made: MadeContext
let system: System
before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context)
})
after(() => made.close())

/** Fewer tries than the interval of the workers' own polling, which is only the fallback. */
const triesMax = 300

test('runs four jobs of a queue concurrently without a wake-up, and a hanging one delays no other', async () => {
  const { jobs } = made.context
  const queue = 'forms.sweep-drafts'
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  await jobs.start({
    [queue]: ({ id }) =>
      new Promise<void>((resolve) => {
        begun.push(id)
        ends.set(id, resolve)
      }),
  })
  const put = async (): Promise<string> => {
    const id = newId()
    await inTransaction(system, (tx) => jobs.enqueue(tx, queue, { workspaceId: system.workspaceId, id }))
    return id
  }
  const hanging = await put()
  await eventually('the first job has started', async () => begun.length === 1, triesMax)
  const others = [await put(), await put(), await put(), await put()]
  await eventually('three more jobs have started', async () => begun.length === 4, triesMax)
  const [next] = begun.filter((id) => id !== hanging)
  ends.get(next ?? '')?.()
  await eventually('the free worker takes the remaining job', async () => begun.length === 5, triesMax)
  assert.deepEqual([...begun].sort(), [hanging, ...others].sort())
  for (const end of ends.values()) end()
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { countRoundTrips, type RoundTrips } from '../../tests/fixtures/database/round-trips.ts'
import { addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import { openFileStore } from '../files/open-store.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { type Member, type System, systemActor, systemFor } from './actor.ts'
import { inPreparedTransaction, inTransaction, reading } from './database/database.ts'
import { newId } from './ids.ts'
import { whileProving } from './pending-proof.ts'

type Outside = (member: Member, system: System) => Promise<unknown>

describe('work for a remembered person', () => {
  let made: MadeContext
  let system: System
  let member: Member
  let platformId: string
  let trips: RoundTrips

  before(async () => {
    made = await makeTestContext()
    system = await addWorkspace(made.context)
    platformId = await addPlatform(system)
    const { memberId } = await addMember(system)
    member = await memberActor(system, memberId)
    trips = countRoundTrips(made.context.database.pool)
  })
  after(() => made.close())

  const proofOf = (isSame: boolean) => async (tx: Parameters<Parameters<typeof reading>[1]>[0]) => {
    await tx.selectFrom('members').select('member_id').where('member_id', '=', member.memberId).execute()
    return isSame ? { lastSeenAt: new Date(0) } : null
  }
  const readSomething = (as: Member | System) =>
    reading(as, (tx) => tx.selectFrom('workspaces').select('name').execute())

  it('gives its result only once proven, and reads in the same round trip', async () => {
    trips.take()
    let isProven = false
    const proveAgain = async (tx: Parameters<ReturnType<typeof proofOf>>[0]) => {
      const seen = await proofOf(true)(tx)
      isProven = true
      return seen
    }
    const give = await whileProving({ actor: member, proveAgain }, () => readSomething(member))
    assert.ok(isProven && give)
    assert.equal(give().length, 1)
    assert.deepEqual(trips.take(), { batches: 1, transactions: 0 })
  })

  it('throws its error only once proven', async () => {
    const fail = async () => {
      throw new Error('the work failed')
    }
    const give = await whileProving({ actor: member, proveAgain: proofOf(true) }, fail)
    assert.throws(() => give?.(), /the work failed/)
    assert.equal(await whileProving({ actor: member, proveAgain: proofOf(false) }, fail), null)
  })

  it('throws the error of a proof that cannot be read, and not that of the work', async () => {
    const proveAgain = () => Promise.reject(new Error('the database is unavailable'))
    const work = () => Promise.reject(new Error('the work failed'))
    await assert.rejects(whileProving({ actor: member, proveAgain }, work), /the database is unavailable/)
  })

  const outside: Record<string, Outside> = {
    'a transaction': (as) => inTransaction(as, async () => 'done'),
    'a transaction of a copy of the person': (as) => inTransaction({ ...as, requestId: newId() }, async () => 'done'),
    'a prepared transaction': (as) => inPreparedTransaction(as, async () => 'done'),
    "a transaction of the program in the person's request": (as) => inTransaction(systemFor(as), async () => 'done'),
    'a transaction of the program': (_, as) => inTransaction(as, async () => 'done'),
    'a trading platform': async (as) => (await made.context.platforms.link(as, platformId)) === null && 'done',
    "a platform's link": async (_, as) => 'problem' in (await findLink(as, platformId)) && 'done',
    'a payment provider': async (as) => (await made.context.providers.find(as, 'none')) === null && 'done',
    'a file': async () => {
      const store = await openFileStore(made.context.config, made.context.log)
      await store.write('a/b', Buffer.from('content'))
      return 'done'
    },
  }
  for (const [name, reach] of Object.entries(outside))
    for (const isReadFirst of [true, false])
      it(`never reaches ${name} without the proof${isReadFirst ? ', after a read' : ''}`, async () => {
        const reached: unknown[] = []
        const work = async () => {
          if (isReadFirst) await readSomething(member)
          reached.push(await reach(member, systemActor(made.context, member.workspaceId)))
        }
        trips.take()
        assert.equal(await whileProving({ actor: member, proveAgain: proofOf(false) }, work), null)
        assert.deepEqual([reached, trips.take().transactions], [[], 0])
        const give = await whileProving({ actor: member, proveAgain: proofOf(true) }, work)
        give?.()
        assert.deepEqual(reached, ['done'])
      })
})

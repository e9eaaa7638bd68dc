import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type Answered, type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { type App, signInPath } from '../../tests/fixtures/second-factors.ts'
import { addMember, addStaff, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'

/** Concurrent requests of one address, which must not block other addresses. */
const floodSize = 900
const floodersAddress = '198.51.100.1'

let made: MadeContext
let system: System
let north: System
let app: FastifyInstance
let caller: Caller

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  north = await addWorkspace(made.context, { subdomain: 'north' })
  app = await buildApp(made.context)
  caller = callerOf(app)
})
after(async () => {
  await app.close()
  await made.close()
})
beforeEach(() => made.context.clock.advance(24 * 3_600_000))

type Person = { email: string; password: string }

function people(at: App, home: System, length = 10): Promise<Person[]> {
  return Promise.all(Array.from({ length }, () => (at === 'portal' ? addMember(home) : addStaff(home))))
}

/** Headers that claim another address, and a forged device cookie. */
function disguise(index: number): Record<string, string> {
  const address = `10.${index % 5}.${index % 100}.7`
  const cookie = `atrium_device=${randomBytes(32).toString('base64url')}`
  return { 'x-forwarded-for': address, forwarded: `for=${address}`, ...(index % 3 > 0 && { cookie }) }
}

function flood(url: string, bodyOf: (index: number) => object): Promise<Answered[]> {
  return Promise.all(
    Array.from({ length: floodSize }, (_, index) =>
      caller.send({
        method: 'POST',
        url,
        payload: bodyOf(index),
        headers: disguise(index),
        remoteAddress: floodersAddress,
      }),
    ),
  )
}

const honest = (people: Person[], at: App, host = 'localhost') =>
  Promise.all(
    people.map((payload, index) =>
      callerOf(app, host).send({
        method: 'POST',
        url: signInPath(at),
        payload,
        remoteAddress: `203.0.113.${1 + index}`,
      }),
    ),
  )

const statusesOf = (answers: Answered[]) => answers.map(({ status }) => status)
const guessAt = (email: string) => ({ email, password: 'Wrong-2026' })

/** Uses up every attempt of the network. */
async function useUp(at: App): Promise<void> {
  for (let index = 0; index < 31; index++) {
    const payload = guessAt(`used-up-${index}@harbour.test`)
    await caller.send({ method: 'POST', url: signInPath(at), payload, remoteAddress: floodersAddress })
  }
}

describe('a flood from one address', () => {
  for (const at of ['portal', 'desk'] as const) {
    test(`${at}: beyond its limit, does not block ten legitimate sign-ins`, async () => {
      const ten = await people(at, system)
      await useUp(at)
      const flooding = flood(signInPath(at), (index) => guessAt(`flood-${index}@harbour.test`))
      assert.deepEqual(statusesOf(await honest(ten, at)), Array(10).fill(200))
      for (const { status, headers } of await flooding) {
        assert.ok(status === 429 || status === 503, String(status))
        assert.ok(Number(headers['retry-after']) >= 1)
      }
    })

    test(`${at}: within its limit, does not block ten legitimate sign-ins`, async () => {
      const ten = await people(at, system)
      const flooding = flood(signInPath(at), (index) => guessAt(`flood-${index}@harbour.test`))
      assert.deepEqual(statusesOf(await honest(ten, at)), Array(10).fill(200))
      const statuses = statusesOf(await flooding)
      assert.ok(statuses.every((status) => [401, 429, 503].includes(status)))
      assert.ok(statuses.filter((status) => status === 401).length <= 30)
    })
  }

  test('does not block five sign-ins at the flooded brokerage and five at another, even from the same address', async () => {
    // Ten in all: each waits for the one hash at a time, and a slow machine must not run into the patience of the queue.
    const [here, there] = [await people('portal', system, 5), await people('portal', north, 5)]
    const flooding = flood(signInPath('portal'), (index) => guessAt(`flood-${index}@harbour.test`))
    const [ours, theirs] = await Promise.all([honest(here, 'portal'), honest(there, 'portal', 'north.localhost')])
    assert.deepEqual([statusesOf(ours), statusesOf(theirs)], [Array(5).fill(200), Array(5).fill(200)])
    await flooding
    const [person] = await people('portal', north, 1)
    const url = signInPath('portal')
    const answer = await callerOf(app, 'north.localhost').send({
      method: 'POST',
      url,
      payload: person as object,
      remoteAddress: floodersAddress,
    })
    assert.equal(answer.status, 200)
  })

  test('does not block reset requests from other addresses when it sends reset requests', async () => {
    const url = '/members/reset-password/request'
    const flooding = flood(url, (index) => ({ email: `flood-${index}@harbour.test` }))
    const asking = Array.from({ length: 10 }, (_, index) => {
      const payload = { email: `honest-${index}@harbour.test` }
      return caller.send({ method: 'POST', url, payload, remoteAddress: `203.0.113.${1 + index}` })
    })
    assert.deepEqual(statusesOf(await Promise.all(asking)), Array(10).fill(200))
    assert.equal(statusesOf(await flooding).filter((status) => status === 200).length, 20)
  })
})

test('a right password opens at most thirty sessions in 15 minutes, although it refunds its attempts', async () => {
  const owner = await addMember(system)
  const statuses: number[] = []
  for (let count = 0; count < 40; count++) {
    const remoteAddress = `203.0.113.${count}`
    const answer = await caller.send({ method: 'POST', url: signInPath('portal'), payload: owner, remoteAddress })
    statuses.push(answer.status)
  }
  assert.deepEqual(statuses, [...Array(30).fill(200), ...Array(10).fill(429)])
  made.context.clock.advance(15 * 60_000 + 1)
  await caller.signIn(owner)
})

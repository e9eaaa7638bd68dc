// spec: OP faults
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, getPriority, platform } from 'node:os'
import { after, before, beforeEach, describe, test } from 'node:test'
import { passwordRules } from '@atrium/contract/sessions/passwords.ts'
import { openAppFixture } from '../../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../../tests/fixtures/context.ts'
import { addMember, addWorkspace, type MadeMember, testPassword } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'
import { makeConcurrencyLimiter } from '../../foundation/concurrency-limiter.ts'
import { waitingFor } from '../../foundation/database/pool.ts'
import { Refusal } from '../../foundation/errors.ts'
import { listCommonPasswords } from './common-passwords.ts'
import { evaluations, hashPassword, isPasswordOf } from './password.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true, settings: { password_chars_max: 128 } })
})
after(() => close())
beforeEach(() => made.context.clock.advance(15 * 60_000 + 1))

async function setPassword(member: MadeMember, password: string): Promise<void> {
  const token = await caller.signIn(member)
  const answer = await caller.post('/members/change-password', { password, password_confirmation: password }, token)
  assert.equal(answer.status, 200, `${JSON.stringify(password)}: ${answer.raw}`)
}

const canSignIn = async (email: string, password: string) =>
  (await caller.post('/members/login', { email, password })).status === 200

describe('an accepted password', () => {
  const filled = (count: number) => `Aa1${'x -'.repeat(50)}`.slice(0, count)
  for (const password of [
    ...[8, 9, 20, 21, 55, 56, 63, 64, 71, 72, 73, 100, 127, 128].map(filled),
    '  Spaces 1 around  ',
    '\tTab\tand 1\n',
    'Ünïcödé-Ñandú-9',
    'Пароль-Море-٧',
    '東京Ⅻ Tower 7',
    `👩‍👩‍👧‍👦A1${'🏳️‍🌈'.repeat(20)}`,
    '‮Right-to-left-1',
    'Zero​Width﻿1',
    "Robert'); DROP TABLE 1",
    '__proto__A1',
    '<script>A1</script>',
    '$2b$10$A1{{7*7}}%00',
  ]) {
    test(`signs in, neither truncated nor trimmed: ${[...password].length} characters, ${JSON.stringify(password).slice(0, 40)}`, async () => {
      const member = await addMember(system)
      await setPassword(member, password)
      assert.ok(await canSignIn(member.email, password))
      const chars = [...password.normalize('NFC')]
      for (const other of [
        chars.slice(0, -1).join(''),
        chars.slice(1).join(''),
        `${password}x`.slice(0, 128),
        password.trim(),
      ]) {
        if (other.normalize('NFC') !== password.normalize('NFC'))
          assert.equal(await canSignIn(member.email, other), false)
      }
    })
  }

  test('signs in on a device that encodes the same letters as other code points', async () => {
    const typed = 'Ångström-Çé-ñ-1가'
    assert.notEqual(typed.normalize('NFC'), typed.normalize('NFD'))
    for (const [set, entered] of [
      ['NFC', 'NFD'],
      ['NFD', 'NFC'],
    ] as const) {
      const member = await addMember(system)
      await setPassword(member, typed.normalize(set))
      assert.ok(await canSignIn(member.email, typed.normalize(entered)))
    }
    // In the hashing itself: the command line and the demo hash without an API call.
    assert.ok(await isPasswordOf(await hashPassword(typed.normalize('NFD')), typed.normalize('NFC')))
    const long = `A1${'é'.repeat(126)}`.normalize('NFD')
    const member = await addMember(system)
    await setPassword(member, long)
    assert.ok(await canSignIn(member.email, long), '128 letters, 254 code points')
  })

  test('combining accents do not make a short password long enough', async () => {
    const member = await addMember(system)
    const token = await caller.signIn(member)
    const password = 'É1ééé'.normalize('NFD')
    assert.ok([...password].length >= 8)
    const answer = await caller.post('/members/change-password', { password, password_confirmation: password }, token)
    assert.equal(answer.status, 422)
  })
})

test('refuses three thousand common passwords that pass the other rules', async () => {
  const member = await addMember(system)
  const token = await caller.signIn(member)
  const capital = (word: string) => word.replace(/\p{L}/u, (letter) => letter.toUpperCase())
  const satisfying = [...new Set([...listCommonPasswords()].map(capital))].filter((word) =>
    passwordRules.every((rule) => rule.holds(word)),
  )
  assert.ok(satisfying.length >= 3_000)
  const step = Math.floor(satisfying.length / 60)
  for (let index = 0; index < satisfying.length; index += step) {
    const password = satisfying[index] ?? ''
    const answer = await caller.post('/members/change-password', { password, password_confirmation: password }, token)
    assert.equal(answer.status, 422, password)
  }
})

test('stores argon2id with at least 19 MiB, two passes, one lane and a salt of its own', async () => {
  const [one, two] = [await addMember(system), await addMember(system)]
  for (const member of [one, two]) await setPassword(member, 'Tidal-Gauge-71')
  const owner = await made.openOwner()
  const { rows } = await owner.query<{ hash: string }>(
    'select distinct password_hash as hash from members where member_id = any ($1)',
    [[one.memberId, two.memberId]],
  )
  assert.equal(rows.length, 2)
  for (const { hash } of rows) {
    const [, memory, passes, lanes] =
      /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$[\w+/]{22}\$[\w+/]{43}$/.exec(hash) ?? []
    assert.ok(Number(memory) >= 19 * 1_024 && Number(passes) >= 2 && Number(lanes) === 1, hash)
    assert.ok(!hash.includes(testPassword))
  }
})

describe('the hashing queue', () => {
  test('limits running and waiting work, and refuses the rest with retry-after', async () => {
    const enter = makeConcurrencyLimiter(2, { waitingMax: 3, retryAfterSeconds: 7 })
    let inside = 0
    let most = 0
    const opened: (() => void)[] = []
    const task = () =>
      enter(async () => {
        inside += 1
        most = Math.max(most, inside)
        await new Promise<void>((resolve) => opened.push(resolve))
        inside -= 1
      })
    const tasks = Array.from({ length: 8 }, task)
    const outcomes = Promise.allSettled(tasks)
    for (let open = 0; open < 5; open++) {
      while (opened.length <= open) await new Promise((resolve) => setImmediate(resolve))
      opened[open]?.()
    }
    const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
    assert.equal(most, 2)
    assert.equal(refused.length, 3)
    for (const reason of refused) {
      assert.ok(reason instanceof Refusal)
      assert.deepEqual([reason.httpStatus, reason.details.retryAfterSeconds], [503, 7])
    }
    const last = enter(async () => 'free again')
    assert.equal(await last, 'free again')
  })

  test('isolates brokerages: a full queue of one neither refuses nor delays another', async () => {
    const enter = makeConcurrencyLimiter(1, { waitingMax: 4 })
    const ended: string[] = []
    const task = (whose: string) =>
      enter(
        async () => {
          await new Promise((resolve) => setImmediate(resolve))
          ended.push(whose)
        },
        { whose },
      )
    const crowd = Array.from({ length: 20 }, () => task('crowded'))
    const outcomes = Promise.allSettled([...crowd, task('calm'), task('calm')])
    assert.equal(enter.waitingCount(), 6)
    const refused = (await outcomes).filter(({ status }) => status === 'rejected')
    assert.deepEqual([refused.length, enter.waitingCount()], [15, 0])
    assert.deepEqual(ended, ['crowded', 'crowded', 'calm', 'crowded', 'calm', 'crowded', 'crowded'])
  })

  test('gives a place in a full queue to a network with fewer entries than the busiest one', async () => {
    const enter = makeConcurrencyLimiter(1, { waitingMax: 4 })
    const first = Promise.withResolvers<void>()
    const staying = enter(() => first.promise)
    const ask = (network: string) => enter(async () => network, { network })
    const outcomes = Promise.allSettled(['flood', 'flood', 'flood', 'flood', 'calm', 'flood', 'calm', 'calm'].map(ask))
    first.resolve()
    await staying
    const entered = (await outcomes).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused'))
    assert.deepEqual(entered, ['flood', 'flood', 'refused', 'refused', 'calm', 'refused', 'calm', 'refused'])
  })

  test('drops only work that has waited too long', async () => {
    const enter = makeConcurrencyLimiter(1, { patience: { ms: 20, over: () => new Error('too long') } })
    const first = Promise.withResolvers<string>()
    const staying = enter(() => first.promise)
    await assert.rejects(
      enter(async () => 'never'),
      { message: 'too long' },
    )
    first.resolve('done')
    assert.equal(await staying, 'done')
    assert.equal(await enter(async () => 'free again'), 'free again')
  })

  test('runs urgent work first, and drops aborted work', async () => {
    const enter = makeConcurrencyLimiter(1)
    const first = Promise.withResolvers<void>()
    const entered: string[] = []
    const go = (name: string) => async () => void entered.push(name)
    const staying = enter(() => first.promise)
    const leaving = new AbortController()
    const ordinary = enter(go('ordinary'), { whose: 'one' })
    const left = enter(go('never'), { isFirst: true, signal: leaving.signal })
    const urgent = ['urgent', 'as urgent'].map((name) => enter(go(name), { isFirst: true }))
    leaving.abort(new Error('given up'))
    await assert.rejects(left, { message: 'given up' })
    assert.equal(enter.waitingCount(), 3)
    first.resolve()
    await Promise.all([staying, ordinary, ...urgent])
    assert.deepEqual([entered, enter.isIdle()], [['urgent', 'as urgent', 'ordinary'], true])
  })

  test('hashes in threads of lower priority', async () => {
    assert.equal(await isPasswordOf(await hashPassword('Aa1 stepping back'), 'Aa1 stepping back'), true)
    if (platform() === 'linux') assert.ok(Math.max(...nicenessOfThreads()) > getPriority())
  })

  test('waits with a hash until pending database work is done', async () => {
    const { pool } = made.context.database
    const stored = await hashPassword('Aa1 not yet')
    let hashed = 0
    const count = () => {
      hashed += 1
    }
    evaluations.subscribe(count)
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    try {
      const verifying = isPasswordOf(stored, 'Aa1 not yet', system)
      await waitUntil(() => waitingFor(pool) > 0)
      assert.equal(hashed, 0)
      for (const client of held.splice(0)) client.release()
      assert.equal(await verifying, true)
      assert.equal(hashed, 1)
    } finally {
      evaluations.unsubscribe(count)
      for (const client of held) client.release()
    }
  })

  test('gives each thread the next hash before it has finished the one before', async () => {
    const stored = await hashPassword('Aa1 in advance')
    await isPasswordOf(stored, 'Aa1 in advance')
    let hashed = 0
    const count = () => {
      hashed += 1
    }
    const atOnce = 2 * Math.max(1, availableParallelism() - 1)
    evaluations.subscribe(count)
    try {
      const verifying = Array.from({ length: atOnce }, () => isPasswordOf(stored, 'Aa1 in advance'))
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal(hashed, atOnce)
      assert.ok((await Promise.all(verifying)).every((isRight) => isRight))
      assert.equal(hashed, atOnce)
    } finally {
      evaluations.unsubscribe(count)
    }
  })

  test('answers a flood of sign-ins with 200, or 429 or 503 and retry-after, and counts only checked passwords', async () => {
    const members = await Promise.all(Array.from({ length: 150 }, () => addMember(system)))
    const storm = members.map(({ email, password }, index) =>
      caller.send({
        method: 'POST',
        url: '/members/login',
        payload: { email, password },
        remoteAddress: `198.51.100.${index}`,
      }),
    )
    const answers = await Promise.all(storm)
    for (const { status, headers } of answers) {
      assert.ok([200, 429, 503].includes(status), String(status))
      if (status !== 200) assert.ok(Number(headers['retry-after']) >= 1)
    }
    assert.ok(answers.some(({ status }) => status === 200))
    assert.ok(answers.some(({ status }) => status === 503))
    for (const { email, password } of members.slice(-3)) {
      for (let count = 0; count < 9; count++) assert.ok(await canSignIn(email, password))
    }
  })
})

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** For every thread of this process: the 17th field after the name, which may contain blanks. */
function nicenessOfThreads(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const [, fields = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return Number(fields.split(' ')[16])
  })
}

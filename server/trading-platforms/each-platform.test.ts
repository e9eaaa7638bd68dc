import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { System } from '../foundation/actor.ts'
import { type ReadPart, readEachPlatform } from './each-platform.ts'
import { openPlatforms } from './platform-connections.ts'

const platforms = openPlatforms(() => {
  throw new Error('No connection is opened here')
})
const brokerage = (workspaceId: string) => ({ kind: 'system', workspaceId, context: { platforms } }) as System
const withItems = (names: readonly string[], count = 1) =>
  new Map(names.map((name) => [name, Array.from({ length: count }, (_, at) => `${name} ${at}`)]))
const named = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

/** Parts that wait for the test. */
function hanging() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const readPart: ReadPart<string> = (_platform, items) => {
    begun.push(...items)
    return new Promise((resolve) => ends.push(() => resolve(true)))
  }
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0)) end()
    await nextTurn()
  }
  return { begun, ends, readPart, endAll }
}

test('reads other platforms while one hangs, and ends a platform at its first part without an answer', async () => {
  const read: string[] = []
  let answer: (isAnswering: boolean) => void = () => undefined
  const reading = readEachPlatform(brokerage('one'), {
    items: withItems(['hung', 'sound'], 5),
    itemsPerPart: 2,
    readPart: async (platform, items) => {
      read.push(...items)
      return platform === 'sound' || new Promise((resolve) => (answer = resolve))
    },
  })
  await nextTurn()
  const ofSound = ['sound 0', 'sound 1', 'sound 2', 'sound 3', 'sound 4']
  assert.deepEqual(read.sort(), ['hung 0', 'hung 1', ...ofSound])
  answer(false)
  assert.deepEqual(await reading, ['hung 2', 'hung 3', 'hung 4'])
  assert.equal(read.length, 7)
})

test('throws the failure of a part after all others have ended', async () => {
  let isOver = false
  const reading = readEachPlatform(brokerage('one'), {
    items: withItems(['broken', 'slow']),
    itemsPerPart: 1,
    readPart: async (platform) => {
      if (platform === 'broken') throw new Error('A fault')
      await nextTurn()
      isOver = true
      return true
    },
  })
  await assert.rejects(reading, /A fault/)
  assert.ok(isOver)
})

test('a brokerage has at most eight readings at a time, and brokerages take turns', async () => {
  const others = hanging()
  const readings = named(5, 'brokerage ').map((name) =>
    readEachPlatform(brokerage(name), {
      items: withItems(named(20, `${name} platform `)),
      itemsPerPart: 1,
      readPart: others.readPart,
    }),
  )
  await nextTurn()
  assert.equal(others.begun.filter((item) => item.startsWith('brokerage 0')).length, 8)
  assert.equal(others.begun.length, 32)
  const last = hanging()
  const late = readEachPlatform(brokerage('last'), {
    items: withItems(['its platform']),
    itemsPerPart: 1,
    readPart: last.readPart,
  })
  // Two places become free; five brokerages have waited longer, with eight readings each.
  for (const end of others.ends.splice(-2)) end()
  await nextTurn()
  assert.deepEqual(last.begun, ['its platform 0'])
  for (let round = 0; round < 20; round++) await Promise.all([others.endAll(), last.endAll()])
  assert.deepEqual(await Promise.all([...readings, late]), [[], [], [], [], [], []])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenGroups } from './group-masks.ts'

const groups = ['real\\standard-usd', 'real\\raw-usd', 'Real\\raw-usd', 'demo\\standard-usd', 'demo.+'].map((name) => ({
  name,
}))
const chosen = (...masks: string[]) => chosenGroups(groups, masks).map(({ name }) => name)

test('a mask is a name, or contains stars for any characters', () => {
  assert.deepEqual(chosen('real\\raw-usd'), ['real\\raw-usd'])
  assert.deepEqual(chosen('real\\*'), ['real\\standard-usd', 'real\\raw-usd'])
  assert.deepEqual(chosen('*-usd'), ['real\\standard-usd', 'real\\raw-usd', 'Real\\raw-usd', 'demo\\standard-usd'])
  assert.deepEqual(chosen('*standard*'), ['real\\standard-usd', 'demo\\standard-usd'])
  assert.deepEqual(chosen('r*l\\*w-*d'), ['real\\raw-usd'])
  assert.equal(chosen('*').length, groups.length)
})

test('selects each group once, treats no other character as special, and nothing without a mask', () => {
  assert.deepEqual(chosen('real\\*', 'real\\raw-usd'), ['real\\standard-usd', 'real\\raw-usd'])
  assert.deepEqual(chosen('demo.+', '.*', 'demo?'), ['demo.+'])
  assert.deepEqual(chosen(''), [])
  assert.deepEqual(chosen(), [])
  // The parts before and after a star do not overlap.
  assert.deepEqual(chosen('real\\raw-usd*usd'), [])
})

test('matches a mask of many stars in a short time', () => {
  const name = 'a'.repeat(60)
  assert.deepEqual(chosenGroups([{ name }], [`${'*a'.repeat(40)}*b`]), [])
})

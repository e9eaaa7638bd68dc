import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentZoneName, timeZoneChoices } from './time-zones.ts'

const asChromium = ['America/Buenos_Aires', 'Asia/Calcutta', 'Europe/Kiev', 'Europe/Malta']
const asFirefox = [
  'America/Argentina/Buenos_Aires',
  'Asia/Kolkata',
  'Etc/GMT+1',
  'Etc/GMT-14',
  'Europe/Kyiv',
  'Europe/Malta',
  'UTC',
]

test('offers each zone once, whether or not the browser lists UTC', () => {
  for (const listed of [asChromium, asFirefox, [...asFirefox, 'UTC', 'Etc/UTC']]) {
    const choices = timeZoneChoices(null, listed)
    assert.equal(new Set(choices).size, choices.length)
    assert.equal(choices[0], 'UTC')
  }
})

test('offers the same zones in the same order in every browser', () => {
  const expected = ['UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Europe/Kyiv', 'Europe/Malta']
  assert.deepEqual(timeZoneChoices(null, asChromium), expected)
  assert.deepEqual(timeZoneChoices(null, asFirefox), expected)
  assert.deepEqual(timeZoneChoices(null, asFirefox.toReversed()), expected)
})

test('offers a stored zone that the browser does not list', () => {
  assert.ok(timeZoneChoices('Etc/GMT+1', asChromium).includes('Etc/GMT+1'))
  assert.ok(timeZoneChoices('US/Eastern', asFirefox).includes('US/Eastern'))
})

test('shows a zone stored under its former name once, under its current name', () => {
  for (const stored of ['Asia/Calcutta', 'Asia/Kolkata'])
    for (const listed of [asChromium, asFirefox]) {
      const choices = timeZoneChoices(stored, listed)
      assert.deepEqual(choices.filter((zone) => zone === currentZoneName(stored)).length, 1)
      assert.ok(!choices.includes('Asia/Calcutta'))
    }
})

test('offers only zone names that this engine understands', () => {
  const choices = timeZoneChoices(null)
  assert.ok(choices.length > 400)
  for (const zone of choices) assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: zone }), zone)
})

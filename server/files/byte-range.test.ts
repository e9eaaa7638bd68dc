import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedRange } from './byte-range.ts'

test('reads a single byte range and ignores every other range header', () => {
  const cases: [header: string | undefined, expected: ReturnType<typeof askedRange>][] = [
    [undefined, null],
    ['', null],
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=0-', { from: 0, to: 99 }],
    ['bytes=10-19', { from: 10, to: 19 }],
    ['bytes=90-1000', { from: 90, to: 99 }],
    ['bytes=99-', { from: 99, to: 99 }],
    ['bytes=100-', 'outside'],
    ['bytes=100-200', 'outside'],
    ['bytes=-10', { from: 90, to: 99 }],
    ['bytes=-1000', { from: 0, to: 99 }],
    ['bytes=-0', 'outside'],
    ['bytes=-', null],
    ['bytes=20-10', null],
    ['bytes=0-1,5-6', null],
    ['bytes=a-b', null],
    ['lines=0-1', null],
    ['bytes=0-99999999999999999999', null],
  ]
  for (const [header, expected] of cases) assert.deepEqual(askedRange(header, 100), expected, header)
  assert.equal(askedRange('bytes=0-', 0), 'outside')
  assert.equal(askedRange('bytes=-5', 0), 'outside')
})

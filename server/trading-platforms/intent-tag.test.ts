import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  carriesTag,
  commentWithTag,
  INTENT_TAG_CHARS,
  isIntentTag,
  judgeReceipts,
  makeIntentTag,
} from './intent-tag.ts'

test('a million tags are all different in the compared length', () => {
  const seen = new Set<string>()
  for (let made = 0; made < 1_000_000; made++) seen.add(makeIntentTag().slice(0, INTENT_TAG_CHARS))
  assert.equal(seen.size, 1_000_000)
})

test('a tag is the letter A and 16 characters of the alphabet', () => {
  for (let made = 0; made < 1_000; made++) assert.match(makeIntentTag(), /^A[0-9A-HJKMNP-TV-Z]{16}$/)
  assert.equal(isIntentTag('A7Q2M9K4ZX0B3C8D1'), true)
  for (const wrong of ['', 'A7Q2M9K4ZX0B3C8D', 'A7Q2M9K4ZX0B3C8DI', 'B7Q2M9K4ZX0B3C8D1', 'a7q2m9k4zx0b3c8d1']) {
    assert.equal(isIntentTag(wrong), false, wrong)
  }
})

test('every character of a tag varies, so no bit of randomness is lost', () => {
  const seen = Array.from({ length: 16 }, () => new Set<string>())
  for (let made = 0; made < 5_000; made++) {
    const tag = makeIntentTag()
    seen.forEach((characters, position) => {
      characters.add(tag.charAt(position + 1))
    })
  }
  for (const characters of seen) assert.equal(characters.size, 32)
})

test('the comment keeps the tag complete and cuts the note', () => {
  const tag = 'A7Q2M9K4ZX0B3C8D1'
  const cases: [string, string][] = [
    ['Deposit', 'A7Q2M9K4ZX0B3C8D1 Deposit'],
    ['', tag],
    ['   ', tag],
    ['Deposit by wire transfer', 'A7Q2M9K4ZX0B3C8D1 Deposit by wi'],
    ['a=b|c\\d\ne', 'A7Q2M9K4ZX0B3C8D1 a b c d e'],
    ['Überweisung', 'A7Q2M9K4ZX0B3C8D1 berweisung'],
  ]
  for (const [note, comment] of cases) {
    assert.equal(commentWithTag(tag, note, 31), comment)
    assert.ok(commentWithTag(tag, note, 31).length <= 31)
    assert.ok(carriesTag(commentWithTag(tag, note, 31), tag))
  }
})

test('the tag is matched at the start, ignoring case', () => {
  const tag = 'A7Q2M9K4ZX0B3C8D1'
  assert.equal(carriesTag('a7q2m9k4zx0b3c8d1 deposit', tag), true)
  assert.equal(carriesTag('Deposit A7Q2M9K4ZX0B3C8D1', tag), false)
  assert.equal(carriesTag('A7Q2M9K4ZX0B3C8D', tag), false)
  assert.equal(carriesTag('', tag), false)
})

test('one receipt of the same amount is found; others are absent or an incident', () => {
  const receipt = (amount: string) => ({ ticket: '7', amount, at: 1, foundByReconciling: true })
  assert.deepEqual(judgeReceipts([], '250'), { verdict: 'absent' })
  assert.deepEqual(judgeReceipts([receipt('250.00')], '250'), { verdict: 'found', receipt: receipt('250.00') })
  assert.deepEqual(judgeReceipts([receipt('-250.00')], '250'), { verdict: 'incident', why: 'other_amount' })
  assert.deepEqual(judgeReceipts([receipt('250.00'), receipt('250.00')], '250'), {
    verdict: 'incident',
    why: 'several',
  })
})

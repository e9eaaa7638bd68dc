import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseShallow, parseSpelled, parseUnambiguous, rememberNumberTexts, spelledFields } from './json.ts'

const numbers = ['102.72', '102.70', '1e2', '100.000000000000001', '9007199254740993', '-0', '1E+2', '0.10', '1e400']

test('keeps the source text of a number at any depth', () => {
  for (const number of numbers) {
    assert.deepEqual(parseSpelled(`{"a":[{"b":${number}}],"c":"1e2","d":null}`), {
      ...{ a: [{ b: number }], c: '1e2', d: null },
    })
  }
})

test('drops a byte order mark at the start only', () => {
  for (const parse of [parseShallow, parseSpelled, parseUnambiguous]) {
    assert.deepEqual(parse('\uFEFF{"a":"\uFEFF"}'), { a: '\uFEFF' })
    assert.throws(() => parse('\uFEFF\uFEFF{}'))
  }
})

test('parses a body again only for amounts that are numbers', () => {
  const text = '{"amount":1e2,"limit":10.0,"charge":"5"}'
  const body = JSON.parse(text) as object
  assert.deepEqual(spelledFields(body, ['amount']), {})
  rememberNumberTexts(body, () => parseSpelled(text))
  assert.deepEqual(spelledFields(body, ['amount', 'charge', 'constructor']), { amount: '1e2' })
})

test('rejects a duplicate name in an object in any spelling, and accepts names repeated elsewhere', () => {
  const twice = [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061" :2}',
    '[{"b":{"a":1,"c":[{"a":1}],"a":{}}}]',
    '{"":1,"":2}',
    '{"a\\"":1,"a\\"":2}',
  ]
  for (const text of twice) assert.throws(() => parseUnambiguous(text), SyntaxError, text)
  const once = [
    '{"a":{"a":["a","a",{"a":"a\\":"}]},"b":"a"}',
    '[{"a":1},{"a":2}]',
    '"a"',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  ]
  for (const text of once) assert.deepEqual(parseUnambiguous(text), parseSpelled(text))
})

test('refuses deep nesting as invalid JSON, and does not count brackets within strings', () => {
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
  const strings = `["${'[{\\"'.repeat(200)}","\\\\",${'[],'.repeat(200)}{}]`
  for (const parse of [parseShallow, parseSpelled, parseUnambiguous]) {
    for (const text of [nested(100), strings]) parse(text)
    for (const depth of [102, 20_000]) assert.throws(() => parse(nested(depth)), SyntaxError)
  }
})

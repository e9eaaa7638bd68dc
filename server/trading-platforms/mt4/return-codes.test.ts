import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf } from './failures.ts'
import { classOfCode } from './return-codes.ts'

/** The platform's list written out independently, so that an error in the table's ranges shows. */
const expected: Record<string, Record<string, number[]>> = {
  not_executed: { throttled: [8, 141] },
  rejected: {
    invalid_input: [3, 129, 130, 131, 132, 135, 136, 138, 139, 140, 144, 145, 147, 148, 149, 150],
    misconfigured: [5, 10, 11, 66],
    not_permitted: [7],
    account_disabled: [64, 133],
    not_found: [65],
    insufficient_funds: [134],
  },
  unknown: {
    protocol: [0, 1, 2, 4, 9, 142, 143, 12, 63, 67, 127, 151, -1, 99_999],
    unreachable: [6],
    timeout: [128],
    busy: [137, 146],
  },
}

const answer = (status: number, error: object | string) => ({
  status,
  headers: {},
  text: typeof error === 'string' ? error : JSON.stringify({ error }),
})
const classOf = (status: number, error: object | string) => {
  const { outcome, reason, sent } = failureOf(answer(status, error))
  assert.equal(sent, true)
  return [outcome, reason]
}

test('classifies every code of the platform, and an undocumented one as unknown', () => {
  for (const [outcome, reasons] of Object.entries(expected)) {
    for (const [reason, codes] of Object.entries(reasons)) {
      for (const code of codes) assert.deepEqual(classOfCode(code), { outcome, reason }, `code ${code}`)
    }
  }
})

test('a failure is unknown without the promise that nothing was executed', () => {
  const error = { code: 'insufficient_funds', platform_code: null, message: '' }
  assert.deepEqual(classOf(422, { ...error, executed: 'no' }), ['rejected', 'insufficient_funds'])
  assert.deepEqual(classOf(422, { ...error, executed: 'unknown' }), ['unknown', 'protocol'])
  assert.deepEqual(classOf(422, { ...error, executed: 'yes' }), ['unknown', 'protocol'])
  assert.deepEqual(classOf(422, { ...error, executed: 'perhaps' }), ['unknown', 'protocol'])
  assert.deepEqual(classOf(422, error), ['unknown', 'protocol'])
  const bare = ['', 'Bad Gateway', '<html>', '{}', '[]', 'null', '{"error":"no"}', '{"error":{"executed":"no"}}']
  for (const text of bare) {
    for (const status of [301, 400, 401, 403, 404, 429, 500, 502, 503]) {
      assert.deepEqual(classOf(status, text), ['unknown', 'protocol'], `${status} ${text}`)
    }
  }
})

test("an unclear platform code overrides the bridge's promise, and any platform code its general errors", () => {
  const error = { code: 'invalid', message: '', executed: 'no' }
  assert.deepEqual(classOf(503, { ...error, platform_code: 128 }), ['unknown', 'timeout'])
  assert.deepEqual(classOf(422, { ...error, platform_code: 777 }), ['unknown', 'protocol'])
  for (const code of ['insufficient_funds', 'not_connected', 'busy']) {
    assert.deepEqual(classOf(503, { ...error, code, platform_code: 128 }), ['unknown', 'timeout'])
  }
  assert.deepEqual(classOf(422, { ...error, platform_code: 134 }), ['rejected', 'insufficient_funds'])
  assert.deepEqual(classOf(422, { ...error, platform_code: 3 }), ['rejected', 'invalid_input'])
  assert.deepEqual(classOf(422, { ...error, code: 'amount_limit', platform_code: 3 }), ['rejected', 'amount_limit'])
})

test('classifies the bridge’s error codes, and an undocumented one as unknown', () => {
  const said = (code: string) => classOf(409, { code, platform_code: null, message: '', executed: 'no' })
  assert.deepEqual(said('already_exists'), ['rejected', 'already_exists'])
  assert.deepEqual(said('key_reused'), ['unknown', 'already_exists'])
  assert.deepEqual(said('not_connected'), ['not_executed', 'session_lost'])
  assert.deepEqual(said('unauthorized'), ['not_executed', 'auth_failed'])
  assert.deepEqual(said('never-heard-of'), ['unknown', 'protocol'])
})

test("logs the bridge's messages without quotes or addresses, and cut to length", () => {
  const message = `"ada@example.test" <b>no</b> ${'x'.repeat(300)}`
  const { platformText } = failureOf(answer(422, { code: 'invalid', platform_code: 3, message, executed: 'no' }))
  assert.ok(platformText !== undefined && platformText.length <= 60 && !platformText.includes('@'))
})

// spec: OP operation
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProblem, makeLog } from './log.ts'

function logged(fields: object): Record<string, unknown> {
  const lines: string[] = []
  makeLog('info', { write: (line: string) => void lines.push(line) }).error(fields, 'fault')
  return JSON.parse(lines.join('')) as Record<string, unknown>
}

test('logs a fault with message and stack in every form, without the values a driver attaches', () => {
  const problem = Object.assign(new Error('the table is gone'), { code: '42P01', detail: 'Key (email)=(a@b.test)' })
  for (const err of [problem, describeProblem(problem)]) {
    const line = logged({ err })
    const { message, code, stack } = line.err as Record<string, unknown>
    assert.deepEqual([message, code], ['the table is gone', '42P01'])
    assert.match(String(stack), /log\.test/)
    assert.ok(!JSON.stringify(line).includes('a@b.test'))
  }
})

test('redacts secrets even when they are logged', () => {
  const line = JSON.stringify(logged({ password: 'Harbour-2026', session: { token: 'tok-1', cookie: 'coo-1' } }))
  for (const secret of ['Harbour-2026', 'tok-1', 'coo-1']) assert.ok(!line.includes(secret))
})

test('removes a value that the database could not read', () => {
  const problem = Object.assign(new Error('invalid input syntax for type uuid: "GB33BUKB20201555555555"'), {
    code: '22P02',
  })
  const line = JSON.stringify(logged({ err: problem }))
  assert.ok(line.includes('invalid input syntax for type uuid') && !line.includes('GB33'))
})

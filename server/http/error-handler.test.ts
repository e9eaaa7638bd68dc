// spec: OP faults, OP operation
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fastify from 'fastify'
import pg from 'pg'
import { handleErrors } from './error-handler.ts'

/** The driver's error for a database error with this SQLSTATE. */
function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('It could not be done.', 0, 'error'), { code })
}

async function answerTo(problem: Error) {
  const app = fastify()
  handleErrors(app)
  app.get('/', () => Promise.reject(problem))
  const { statusCode, headers, body } = await app.inject('/')
  await app.close()
  return { statusCode, body, retryAfter: headers['retry-after'] }
}

describe('a database error', () => {
  for (const [code, what] of [
    ['08006', 'connection lost'],
    ['28P01', 'password of the role changed'],
    ['40P01', 'deadlock'],
    ['53100', 'disk full'],
    ['55P03', 'lock timeout'],
    ['57P01', 'database shutting down'],
    ['58030', 'disk error'],
  ] as const)
    test(`${code}, ${what}: answers unavailable with Retry-After`, async () => {
      const { statusCode, body, retryAfter } = await answerTo(databaseError(code))
      assert.deepEqual([statusCode, retryAfter, JSON.parse(body).code], [503, '2', 'unavailable'])
    })

  for (const [code, what] of [
    ['23505', 'unique violation'],
    ['42601', 'syntax error'],
  ] as const)
    test(`${code}, ${what}: answers a fault without the message of the database`, async () => {
      const { statusCode, body } = await answerTo(databaseError(code))
      assert.deepEqual([statusCode, JSON.parse(body).code, body.includes('could not be done')], [500, 'fault', false])
    })
})

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { Refusal } from '../foundation/errors.ts'
import { hashPassword, isPasswordOf } from './passwords/password.ts'

/** A file of its own: what an unknown address is compared with is made once a process, by whoever needs it first. */
test('a full line at the first unknown address of a process is forgotten with the line', async () => {
  const line = Array.from({ length: availableParallelism() + 64 }, () => hashPassword('Aa1 in the line'))
  const served = Promise.allSettled(line)
  await assert.rejects(isPasswordOf(null, 'Aa1 of nobody'), Refusal)
  await served
  assert.equal(await isPasswordOf(null, 'Aa1 of nobody'), false)
})

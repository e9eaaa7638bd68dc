import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { Refusal } from '../../foundation/errors.ts'
import { hashPassword, isPasswordOf } from './password.ts'

/** In its own file, because the hash compared for unknown emails is made once for each process. */
test('retries the hash for unknown emails after a full queue refused its first use', async () => {
  const line = Array.from({ length: availableParallelism() + 64 }, () => hashPassword('Aa1 in the line'))
  const served = Promise.allSettled(line)
  await assert.rejects(isPasswordOf(null, 'Aa1 of nobody'), Refusal)
  await served
  assert.equal(await isPasswordOf(null, 'Aa1 of nobody'), false)
})

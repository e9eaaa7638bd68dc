import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { problemSentence, problemText } from './platform-problems.ts'

describe('the last problem', () => {
  it('is a sentence with the platform’s code', () => {
    assert.deepEqual(problemText('amount_limit (10024)'), {
      text: 'The amount is over the platform’s limit.',
      code: '10024',
    })
    assert.deepEqual(problemText('timeout'), { text: 'The platform did not answer in time.', code: null })
  })

  it('is shown unchanged when it is already a sentence or unknown', () => {
    for (const problem of ['Look-up found several deals.', 'brand_new_reason (7)', 'constructor'])
      assert.deepEqual(problemText(problem), { text: problem, code: null })
  })

  it('is a sentence on the pages of money, and never a word of the code', () => {
    assert.equal(problemSentence('auth_failed'), 'The platform did not accept our sign-in.')
    assert.equal(problemSentence('brand_new_reason'), 'brand new reason')
    const features = join(import.meta.dirname, '../../features')
    const raw = globSync('desk-{deposits,withdrawals}/*.tsx', { cwd: features }).filter((file) =>
      /(?:problem\.replaceAll|problem: \w+\.last_problem\b)/.test(readFileSync(join(features, file), 'utf8')),
    )
    assert.deepEqual(raw, [])
  })
})

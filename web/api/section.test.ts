// spec: MP 8, MP 9
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { inSectionTime, SectionError } from './section.ts'

describe('the code of a section', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('returns the loaded module', async () => {
    assert.deepEqual(await inSectionTime(async () => ({ Page: 'page' })), { Page: 'page' })
  })

  it('times out after the specified limit, not earlier', async () => {
    const failures: unknown[] = []
    const waiting = inSectionTime(() => new Promise(() => undefined)).catch((error: unknown) => failures.push(error))
    mock.timers.tick(limits.sectionLoadTimeoutMs - 1)
    await Promise.resolve()
    assert.deepEqual(failures, [])
    mock.timers.tick(1)
    await waiting
    assert.deepEqual(failures, [new SectionError({ isLate: true })])
    assert.equal(String(failures[0]), `SectionError: ${texts.sectionLate}`)
  })

  it('reports a failed load in our own words', async () => {
    const failing = inSectionTime(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module: x')))
    await assert.rejects(failing, { name: 'SectionError', message: texts.sectionMissing })
  })
})

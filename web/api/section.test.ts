// spec: MP 8, MP 9
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { inSectionTime, SectionError } from './section.ts'

describe('the code of a section', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('is handed on as it came', async () => {
    assert.deepEqual(await inSectionTime(async () => ({ Page: 'page' })), { Page: 'page' })
  })

  it('is given up after the time of the specification, and not before', async () => {
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

  it('that cannot be had says so without the words of the browser', async () => {
    const failing = inSectionTime(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module: x')))
    await assert.rejects(failing, { name: 'SectionError', message: texts.sectionMissing })
  })
})

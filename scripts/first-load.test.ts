import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { countBytes, firstLoads, loginBytesMax, scriptsOf } from './first-load.ts'
import { setUp } from './setup.js'

describe('the script that a first visit loads', () => {
  before(() => setUp({ build: true }))

  it('stays under the bar on the sign-in page', () => {
    const bytes = countBytes(firstLoads.login)
    assert.ok(bytes > 100_000, `${bytes} bytes: that cannot be the whole of it`)
    assert.ok(bytes <= loginBytesMax, `${bytes} bytes, and the bar is ${loginBytesMax}`)
  })

  it('is counted with all that it imports, each file once', () => {
    const manifest = {
      'page.html': { file: 'page.js', imports: ['_parts.js', '_base.js'] },
      '_parts.js': { file: 'parts.js', imports: ['_base.js'] },
      '_base.js': { file: 'base.js', imports: ['page.html'] },
      'later.tsx': { file: 'later.js' },
    }
    assert.deepEqual(scriptsOf(['page.html'], manifest).sort(), ['base.js', 'page.js', 'parts.js'])
    assert.deepEqual(scriptsOf(['page.html', 'later.tsx'], manifest).length, 4)
    assert.throws(() => scriptsOf(['moved.tsx'], manifest), /knows no moved\.tsx/)
  })
})

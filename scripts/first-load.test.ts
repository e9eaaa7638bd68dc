import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { countBytes, firstLoads, loginBytesMax, readManifest, scriptsMax, scriptsOf } from './first-load.ts'
import { setUp } from './setup.js'

describe('the script that a first visit loads', () => {
  before(() => setUp({ build: true }))

  it('stays under the bar on the sign-in page', () => {
    const bytes = countBytes(firstLoads.login)
    assert.ok(bytes > 100_000, `${bytes} bytes: that cannot be the whole of it`)
    assert.ok(bytes <= loginBytesMax, `${bytes} bytes, and the bar is ${loginBytesMax}`)
  })

  it('comes in few files', () => {
    const manifest = readManifest()
    for (const [name, max] of Object.entries(scriptsMax)) {
      const scripts = scriptsOf(firstLoads[name as keyof typeof scriptsMax], manifest)
      assert.ok(scripts.length <= max, `${name}: ${scripts.length} files, and the bar is ${max}`)
    }
  })

  it('never starts another app than its own', () => {
    const manifest = readManifest()
    const apps = ['portal', 'desk', 'viewer'].map((app) => ({ app, file: manifest[`${app}/index.html`]?.file ?? '' }))
    const strays = Object.entries(manifest)
      .filter(([source, { isDynamicEntry }]) => isDynamicEntry && /^(portal|desk|viewer)\//.test(source))
      .flatMap(([source]) => {
        const scripts = scriptsOf([source], manifest)
        const others = apps.filter(({ app, file }) => !source.startsWith(`${app}/`) && scripts.includes(file))
        return others.map(({ app }) => `${source} starts ${app}`)
      })
    assert.deepEqual(strays, [])
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

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setUp } from '../setup.js'
import { built, countLoad, filesOf, firstLoads, readManifest } from './first-load.ts'

describe('the script of a first visit', () => {
  before(() => setUp({ build: true }))

  for (const [name, { sources, bytesMax, filesMax }] of Object.entries(firstLoads))
    it(`stays under its limits: ${name}`, () => {
      const { bytes, files } = countLoad(sources)
      assert.ok(bytes > 100_000, `${bytes} bytes: too few for the whole script`)
      assert.ok(bytes <= bytesMax, `${bytes} bytes of script, over the limit of ${bytesMax}`)
      assert.ok(files <= filesMax, `${files} files, over the limit of ${filesMax}`)
    })

  it('never loads another app', () => {
    const manifest = readManifest()
    const apps = ['portal', 'desk', 'viewer'].map((app) => ({ app, file: manifest[`${app}/index.html`]?.file ?? '' }))
    const strays = Object.entries(manifest)
      .filter(([source, { isDynamicEntry }]) => isDynamicEntry && /^(portal|desk|viewer)\//.test(source))
      .flatMap(([source]) => {
        const files = filesOf([source], manifest)
        const others = apps.filter(({ app, file }) => !source.startsWith(`${app}/`) && files.includes(file))
        return others.map(({ app }) => `${source} starts ${app}`)
      })
    assert.deepEqual(strays, [])
  })

  it('finds a flag file for each country', () => {
    const flags = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.svg'))
    assert.ok(flags.length > 200, `${flags.length} flags: the pattern in web/ui/brand/flag-picture.tsx leads elsewhere`)
  })

  it('counts a file and all its imports once', () => {
    const manifest = {
      'page.html': { file: 'page.js', css: ['page.css'], imports: ['_parts.js', '_base.js'] },
      '_parts.js': { file: 'parts.js', imports: ['_base.js'] },
      '_base.js': { file: 'base.js', imports: ['page.html'] },
      'later.tsx': { file: 'later.js' },
    }
    assert.deepEqual(filesOf(['page.html'], manifest).sort(), ['base.js', 'page.css', 'page.js', 'parts.js'])
    assert.deepEqual(filesOf(['page.html', 'later.tsx'], manifest).length, 5)
    assert.throws(() => filesOf(['moved.tsx'], manifest), /has no moved\.tsx/)
  })
})

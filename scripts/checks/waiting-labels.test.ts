import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'

const root = dirname(dirname(import.meta.dirname))

/** They stand for a moment only, so that a walk of the screens with its checks sees them on a slow day at best. */
it('grey skeleton that say that they wait have a role, without which nobody hears the words', () => {
  const named = globSync('web/**/*.tsx', { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/<Skeleton\b[^>]*\baria-label=[^>]*>/g)].map(
      ([element]) => `${path}: ${element}`,
    ),
  )
  assert.ok(named.length > 1, 'they are seen')
  assert.deepEqual(
    named.filter((element) => !/\brole=/.test(element)),
    [],
  )
})

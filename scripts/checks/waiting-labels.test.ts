import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'

const root = dirname(dirname(import.meta.dirname))

/** Skeletons are visible only briefly, so the accessibility walk over the screens rarely sees them. */
it('every skeleton with a loading label has a role, so that screen readers announce the label', () => {
  const named = globSync('web/**/*.tsx', { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/<Skeleton\b[^>]*\baria-label=[^>]*>/g)].map(
      ([element]) => `${path}: ${element}`,
    ),
  )
  assert.ok(named.length > 1, 'skeletons are found')
  assert.deepEqual(
    named.filter((element) => !/\brole=/.test(element)),
    [],
  )
})

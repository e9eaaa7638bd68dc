import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const web = join(import.meta.dirname, '../..')

test('a part of a form that cannot be loaded does not take the form with it', () => {
  const files = globSync(
    ['{features,ui/{fields,files,forms,money}}/**/*.tsx', 'portal/shell/everywhere.tsx', 'viewer/form-frame.tsx'],
    { cwd: web },
  )
  for (const file of ['ui/fields/date-input.tsx', 'portal/shell/everywhere.tsx', 'viewer/form-frame.tsx'])
    assert.ok(files.includes(file))
  // React's `lazy` throws a failed import at the nearest error screen, which replaces the page and its input.
  const bare = files.filter((file) => {
    const text = readFileSync(join(web, file), 'utf8')
    return /\blazy\(/.test(text) && !text.includes('<Boundary')
  })
  assert.deepEqual(bare, [])
})

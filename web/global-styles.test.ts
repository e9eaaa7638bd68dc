import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('styles of one app that are no module name its body, as the build may join them with styles of the other', () => {
  const files = globSync('{desk,portal}/**/*.css', { cwd: import.meta.dirname, exclude: ['**/*.module.css'] })
  assert.deepEqual(files, ['desk/density.css'])
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    const selectors = [...text.matchAll(/([^{};@]+)\{/g)].map(([, selector = '']) => selector.trim()).filter(Boolean)
    const applied = selectors.filter((selector) => !selector.includes('(max-width'))
    assert.ok(applied.length > 0)
    assert.deepEqual(
      applied.filter((selector) => !selector.startsWith(`body[data-app="${file.split('/')[0]}"]`)),
      [],
    )
  }
})

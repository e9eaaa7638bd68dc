import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { leanCalls } from './call-schemas.ts'

const lean = (code: string): string => leanCalls(code, parseAst(code) as unknown as Parameters<typeof leanCalls>[1])

describe('the schemas of a call in the build', () => {
  it('has no input, and an answer that is built once, on first use', () => {
    const code = "const call = { path: '/a', input: build('input'), answer: build('answer') }"
    const built: string[] = []
    const build = (name: string) => {
      built.push(name)
      return { name }
    }
    const call = new Function('build', `${lean(code)}\nreturn call`)(build)
    assert.deepEqual([call.path, call.input, built], ['/a', undefined, []])
    assert.equal(call.answer.name, 'answer')
    assert.equal(call.answer, call.answer)
    assert.deepEqual(built, ['answer'])
  })

  it('builds a call that extends another', () => {
    const code = 'const table = { ...calls.table, input: calls.table.input.extend({}) }'
    const table = new Function('calls', `${lean(code)}\nreturn table`)({ table: { path: '/a' } })
    assert.deepEqual(table, { path: '/a', input: undefined })
  })

  it('recognises a call whose path is a shorthand property', () => {
    const code = "const path = '/a'; const calls = { list: { ...shared, path, input: build(), answer: build() } }"
    const build = () => assert.fail('not built')
    const { list } = new Function('build', 'shared', `${lean(code)}\nreturn calls`)(build, { method: 'GET' })
    assert.deepEqual([list.method, list.path, list.input], ['GET', '/a', undefined])
  })

  it('leaves other objects with such names alone', () => {
    const code = "const shape = { input: 'a', answer: make(1) }"
    assert.equal(lean(code), code)
  })

  it('builds schemas on first use: a single one, those of an object, one derived from another', () => {
    const code = [
      'const ok = z.object({ status: z.string() })',
      'export const row = ok.extend({ id: z.uuid() })',
      'const fields = { name: z.string(), most: 3 }',
    ].join('\n')
    const [imported, ...lines] = lean(code).split('\n')
    assert.match(imported ?? '', /^import \{ lazySchema \} from '.*\/web\/api\/lazy-schema\.ts'$/)
    assert.deepEqual(lines, [
      'const ok = /* @__PURE__ */ lazySchema(() => z.object({ status: z.string() }))',
      'export const row = /* @__PURE__ */ lazySchema(() => ok.extend({ id: z.uuid() }))',
      'const fields = { name: /* @__PURE__ */ lazySchema(() => z.string()), most: 3 }',
    ])
  })
})

it('the web reads no input of a call, since the build has none', () => {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: (path) => path === 'dist' || path === 'node_modules' })
  const own = files.filter((path) => !path.includes('.test.') && path !== 'call-schemas.ts')
  // Excludes the CSS classes of a field, and the wanted amount of a dialog, which have the same name.
  const reads = /(?<!\.\.|parts|wanted)\??\.input\b(?!:)/
  assert.ok(own.length > 500, `${own.length} files`)
  assert.deepEqual(
    own.filter((path) => reads.test(readFileSync(join(root, path), 'utf8'))),
    [],
  )
})

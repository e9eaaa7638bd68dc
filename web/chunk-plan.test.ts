import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Load, type NaturalChunk, planChunks } from './chunk-plan.ts'

const shared = (name: string, bytes: number, ...imports: string[]): NaturalChunk => ({ name, bytes, imports })
const page = (name: string, ...imports: string[]): NaturalChunk => ({ name, bytes: 0, imports, entry: 'part' })
const app = (name: string, ...imports: string[]): NaturalChunk => ({ name, bytes: 0, imports, entry: 'app' })
const load = (entry: string, after?: Load): Load => ({ entries: [entry], weight: 1, ...(after && { after }) })

const plan = (chunks: NaturalChunk[], loads: Load[]): string[] =>
  planChunks(chunks, loads)
    .map((group) => group.toSorted().join('+'))
    .toSorted()

describe('the chunk plan', () => {
  it('joins modules that the same screens need', () => {
    const chunks = [
      page('home', 'icon', 'table'),
      page('list', 'icon', 'table'),
      shared('icon', 500),
      shared('table', 9_000),
    ]
    assert.deepEqual(plan(chunks, [load('home'), load('list')]), ['icon+table'])
  })

  it('joins modules only when the saved request outweighs the extra bytes', () => {
    const chunks = [page('home', 'icon', 'table', 'charts'), page('list', 'icon', 'table'), page('plain', 'table')]
    const [icon, table, charts] = [shared('icon', 500), shared('table', 9_000), shared('charts', 400_000)]
    const loads = [load('home'), load('list'), load('plain')]
    assert.deepEqual(plan([...chunks, icon, table, charts], loads), ['charts', 'icon+table'])
  })

  it('counts the styles of a chunk as a request', () => {
    const chunks = [page('home', 'icon', 'table'), page('list', 'icon'), shared('icon', 500), shared('table', 25_000)]
    const loads = [load('home'), load('list')]
    assert.deepEqual(plan(chunks, loads), ['icon', 'table'])
    const styled = chunks.map((chunk) => ({ ...chunk, hasStyles: chunk.entry === undefined }))
    assert.deepEqual(plan(styled, loads), ['icon+table'])
  })

  it('ignores chunks that the frame of a page has already loaded', () => {
    const frame = load('frame')
    const chunks = [page('frame', 'menu', 'table'), page('home', 'frame', 'menu', 'chart'), shared('menu', 500)]
    const rest = [shared('table', 200_000), shared('chart', 200_000)]
    assert.deepEqual(plan([...chunks, ...rest], [frame, load('home', frame)]), ['chart', 'menu+table'])
  })

  it('does not join chunks that would create an import cycle', () => {
    const chunks = [
      page('home', 'form', 'words'),
      shared('form', 500, 'lib'),
      page('lib', 'words'),
      shared('words', 500),
    ]
    assert.deepEqual(plan(chunks, [load('home')]), ['form', 'words'])
  })

  it('does not join a chunk that starts an app with one that does not', () => {
    const chunks = [page('home', 'table'), page('members', 'table', 'rights'), app('desk'), shared('table', 500)]
    const loads = [load('home'), load('members')]
    assert.deepEqual(plan([...chunks, shared('rights', 500, 'desk')], loads), ['rights', 'table'])
    assert.deepEqual(plan([...chunks, shared('rights', 500)], loads), ['rights+table'])
  })
})

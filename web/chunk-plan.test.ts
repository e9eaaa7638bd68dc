import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Load, type NaturalChunk, planChunks } from './chunk-plan.ts'

const shared = (name: string, bytes: number, ...imports: string[]): NaturalChunk => ({ name, bytes, imports })
const page = (name: string, ...imports: string[]): NaturalChunk => ({ name, bytes: 0, imports, entry: 'part' })
const app = (name: string, ...imports: string[]): NaturalChunk => ({ name, bytes: 0, imports, entry: 'app' })
const load = (entry: string, after?: Load): Load => ({ entries: [entry], weight: 1, ...(after && { after }) })

const plan = (chunks: NaturalChunk[], loads: Load[]): string[] =>
  planChunks(chunks, loads)
    .groups.map((group) => group.toSorted().join('+'))
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
    const styled = chunks.map((chunk) => (chunk.entry ? chunk : { ...chunk, styles: 100 }))
    assert.deepEqual(plan(styled, loads), ['icon+table'])
  })

  it('ignores chunks that the frame of a page has already loaded', () => {
    const frame = { ...load('frame'), weight: 2 }
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

  it('joins the entry of an app with chunks that only this app loads', () => {
    const portal = { ...app('portal', 'menu'), opens: ['home'] }
    const desk = { ...app('desk', 'table'), opens: [] }
    const chunks = [portal, desk, page('home', 'portal', 'chart', 'table'), shared('menu', 500), shared('chart', 500)]
    const frame = load('portal')
    const loads = [frame, load('desk'), load('home', frame)]
    assert.deepEqual(plan([...chunks, shared('table', 500)], loads), ['chart+menu+portal', 'table'])
    const both = chunks.map((chunk) => (chunk.name === 'desk' ? { ...chunk, opens: ['late'] } : chunk))
    const late = page('late', 'chart')
    assert.deepEqual(plan([...both, late, shared('table', 500)], loads), ['chart+table', 'menu+portal'])
  })

  it('moves styles to a file that is loaded before in any case', () => {
    const styled = (chunk: NaturalChunk, styles: number): NaturalChunk => ({ ...chunk, styles })
    const base = styled(shared('base', 400_000), 9_000)
    const chunks = [page('home', 'base'), page('list', 'table'), base, styled(shared('table', 400_000, 'base'), 500)]
    const loads = [load('home'), load('list')]
    const { groups, stylesIn } = planChunks(chunks, loads)
    assert.deepEqual(groups, [['base'], ['table']])
    assert.deepEqual([...stylesIn], [['table', 'base']])
  })

  it('moves styles after those between them and their place have moved', () => {
    const styled = (chunk: NaturalChunk, styles: number): NaturalChunk => ({ ...chunk, styles })
    const pages = [page('home', 'base'), page('help', 'menu'), page('list', 'table')]
    const below = [styled(shared('core', 400_000), 9_000), styled(shared('base', 400_000, 'core'), 8_000)]
    const above = [styled(shared('menu', 400_000, 'core'), 700), styled(shared('table', 400_000, 'base', 'menu'), 500)]
    const { stylesIn } = planChunks([...pages, ...below, ...above], [load('home'), load('help'), load('list')])
    assert.deepEqual(Object.fromEntries(stylesIn), { menu: 'core', base: 'core', table: 'core' })
  })

  it('leaves styles where they are if the order of the cascade or the bytes of others would suffer', () => {
    const styled = (chunk: NaturalChunk, styles: number): NaturalChunk => ({ ...chunk, styles })
    const [base, other] = ['base', 'other'].map((name) => styled(shared(name, 400_000), 90_000)) as [
      NaturalChunk,
      NaturalChunk,
    ]
    const pages = [page('home', 'base'), page('help', 'other'), page('list', 'table')]
    const loads = [load('home'), load('help'), load('list')]
    const stylesIn = (table: NaturalChunk) => [...planChunks([...pages, base, other, table], loads).stylesIn]
    assert.deepEqual(stylesIn(styled(shared('table', 400_000, 'base', 'other'), 500)), [])
    assert.deepEqual(stylesIn(styled(shared('table', 400_000, 'base'), 60_000)), [])
    assert.deepEqual(stylesIn(styled(shared('table', 400_000, 'base'), 500)), [['table', 'base']])
  })
})

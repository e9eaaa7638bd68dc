import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { DEFAULT_THEME } from '@mantine/core'
import { palettes, withoutPalettes } from './palettes.ts'

const root = dirname(import.meta.dirname)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const own = globSync('web/**/*.{ts,tsx,css}', { cwd: root, exclude: ['web/dist/**', 'web/palettes*'] }).map(read)
const ofMantine = own.flatMap((text) =>
  [...text.matchAll(/'(@mantine\/\w+\/styles[/.](?!default-css-variables)[\w.-]+\.css)'/g)].map(([, name]) =>
    read(`node_modules/${name}`),
  ),
)
const named = new RegExp(
  `(?:--mantine-color-|\\b(?:color|c|bg)=")(${Object.keys(DEFAULT_THEME.colors).join('|')})\\b`,
  'g',
)

const namedIn = (text: string): string[] => [...text.matchAll(named)].map(([, name = '']) => name)

describe('the palettes in the build', () => {
  it('are all that the styles and sources name', () => {
    const used = new Set([...own, ...ofMantine].flatMap(namedIn))
    assert.ok(ofMantine.length > 10 && used.has('gray'))
    assert.deepEqual(
      [...used].filter((name) => !palettes.includes(name)),
      [],
    )
  })

  it('are the only ones that become variables', () => {
    const all = read('node_modules/@mantine/core/styles/default-css-variables.layer.css')
    const stored = withoutPalettes(all)
    const names = (css: string) => new Set(css.match(/--mantine-[\w-]+(?=:)/g))
    const left = [...names(all).difference(names(stored))]
    assert.ok(left.includes('--mantine-color-grape-6') && left.includes('--mantine-color-grape-light-hover'))
    const others = Object.keys(DEFAULT_THEME.colors).filter((name) => !palettes.includes(name))
    const isOther = (name: string) => others.some((palette) => name.startsWith(`--mantine-color-${palette}-`))
    assert.deepEqual(
      left.filter((name) => !isOther(name)),
      [],
    )
    assert.deepEqual([...names(stored)].filter(isOther), [])
  })

  it('all exist in the theme', () => {
    assert.deepEqual(
      palettes.filter((name) => !(name in DEFAULT_THEME.colors)),
      [],
    )
  })
})

import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/** The palettes of Mantine that its styles or ours use; blue is the primary colour of its default theme. */
export const palettes = ['dark', 'gray', 'red', 'blue']

const declarations = /\s*--mantine-color-([a-z]+)-(?:\d|[a-z-]*?(?:text|filled|light|outline)[a-z-]*):[^;]*;/g

/** The variables of Mantine's default theme without those of the other palettes. */
export const withoutPalettes = (css: string): string =>
  css.replace(declarations, (text, name) => (palettes.includes(name) ? text : ''))

/** Leaves out the other palettes, which are part of the first load, and become variables whenever a page starts. */
export const fewPalettes: Plugin = {
  name: 'atrium-few-palettes',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /default-css-variables\.layer\.css$/ },
    handler: (css) => ({ code: withoutPalettes(css), map: null }),
  },
  load: {
    filter: { id: /MantineProvider\/default-colors\.mjs$/ },
    async handler(id) {
      const { DEFAULT_COLORS } = (await import(pathToFileURL(id).href)) as { DEFAULT_COLORS: Record<string, string[]> }
      const colors = palettes.map((name) => [name, DEFAULT_COLORS[name]])
      return `export const DEFAULT_COLORS = ${JSON.stringify(Object.fromEntries(colors))}`
    },
  },
}

/** What the build adds to the HTML of each page, so that a first visit shows something at once. */

import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { depositsOutline } from './features/desk-deposits/deposits-outline.ts'
import { headings } from './portal/headings.ts'

const firstPaint = new URL('ui/layout/first-paint.css', import.meta.url)

/** The most visited pages, by the path that the server finds in `data-page` (server/pages.ts). */
const visited = { '/home': 'portal/pages/home-page.tsx', '/accounts': 'portal/pages/accounts-page.tsx' }

/** The paths of the pages whose heading is part of the HTML. */
const headingPaths: Record<keyof typeof headings, string[]> = {
  home: ['/home'],
  accounts: ['/accounts'],
  deposit: ['/funds/deposit'],
  withdraw: ['/funds/withdraw'],
  transactions: ['/funds/transactions', '/transactions'],
}

const headingOf = (path: string, title: string, help: string): string =>
  `<header data-page="${path}"><h1>${title}</h1><span>${help}</span></header>`

type Built = {
  fileName: string
  facadeModuleId: string | null
  imports: string[]
  viteMetadata?: { importedCss: Set<string> }
}

/** Preloads what a module loads, except what the HTML names already. */
function preloadsOf(page: string, module: string, chunks: Map<string, Built>, html: string): string[] {
  const start = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
  if (!start) throw new Error(`The build has no ${module}.`)
  const scripts = new Set([start.fileName])
  for (const file of scripts) for (const imported of chunks.get(file)?.imports ?? []) scripts.add(imported)
  const styles = new Set([...scripts].flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])]))
  const linksOf = (files: Set<string>, kind: string): string[] =>
    [...files]
      .filter((file) => !html.includes(file))
      .map((file) => `<link ${kind} data-page="${page}" crossorigin href="/${file}">`)
  return [...linksOf(scripts, 'rel="modulepreload"'), ...linksOf(styles, 'rel="preload" as="style"')]
}

/** Preloads the most visited pages before the entry has run. */
const pagesEarly: Plugin = {
  name: 'atrium-pages-early',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {}, path }) {
      if (path !== '/portal/index.html') return html
      const chunks = new Map<string, Built>()
      for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file)
      const links = Object.entries(visited).flatMap(([page, module]) => preloadsOf(page, module, chunks, html))
      return html.replace('</head>', `  ${links.join('\n    ')}\n  </head>`)
    },
  },
}

const portalHeadings = Object.entries(headings).flatMap(([name, { title, help }]) =>
  headingPaths[name as keyof typeof headings].map((path) => headingOf(path, title, help)),
)

/** The desk opens on the deposits, whatever the role, except in a new brokerage. */
const deskHeadings = ['/desk', '/desk/deposits'].map((path) =>
  headingOf(path, depositsOutline.title, depositsOutline.search),
)

const headingsByFile: Record<string, string[]> = {
  '/portal/index.html': portalHeadings,
  '/desk/index.html': deskHeadings,
}

/** The outline of a page contains its heading: the first text that a person reads, before any script has loaded. */
const headingsInOutline: Plugin = {
  name: 'atrium-headings-in-outline',
  apply: 'build',
  transformIndexHtml: {
    order: 'pre',
    handler: (html, { path }) =>
      html.replace(/(?<=class="first-paint".*)(?=<\/div>)/, () => (headingsByFile[path] ?? []).join('')),
  },
}

/** The styles of the outline are part of the HTML, so that it appears before any other file is loaded. */
const firstPaintInline: Plugin = {
  name: 'atrium-first-paint-inline',
  apply: 'build',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(
        /<link rel="stylesheet" href="[^"]*first-paint\.css" \/>/,
        () => `<style>${readFileSync(firstPaint, 'utf8')}</style>`,
      ),
  },
}

/** All other styles come after the outline: they hold back the app, and not the outline. */
const stylesAfterFirstPaint: Plugin = {
  name: 'atrium-styles-after-first-paint',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      if (!html.includes('class="first-paint')) return html
      const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
      const rest = styles.reduce((page, link) => page.replace(link, ''), html)
      return rest.replace('<div id="root">', () => `${styles.join('\n    ')}\n    <div id="root">`)
    },
  },
}

/**
 * Runs each script file in its own task, so that the page reacts to input between them. They may run before the body is parsed, so a
 * shared file reads no element when it loads.
 */
const scriptsApart: Plugin = {
  name: 'atrium-scripts-apart',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      if (!html.includes('class="first-paint')) return html
      return html.replace(
        /<link rel="modulepreload" crossorigin href="([^"]*)"([^>]*)>/g,
        '<script type="module" async fetchpriority="high" crossorigin src="$1"$2></script>',
      )
    },
  },
}

export const pageHtml = [pagesEarly, headingsInOutline, firstPaintInline, stylesAfterFirstPaint, scriptsApart]

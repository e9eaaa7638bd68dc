import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = (text, link) => ({ text, link: `/${link}` })

/** The pages of a folder by their titles, its overview first. */
function group(text, folder) {
  const source = join(import.meta.dirname, '../pages/docs')
  const titles = globSync(`${folder}/*.md`, { cwd: source }).map((file) => {
    const [, title = file] = /^# (.+)$/m.exec(readFileSync(join(source, file), 'utf8')) ?? []
    return page(file.endsWith('README.md') ? 'Overview' : title, file.replace(/\.md$/, ''))
  })
  const isOverview = (item) => Number(item.text === 'Overview')
  const items = titles.sort((a, b) => isOverview(b) - isOverview(a) || a.text.localeCompare(b.text))
  return { text, collapsed: true, items }
}

/** Built by `npm run docs` (scripts/docs-site.ts), which puts the repository's pages into `pages/`. */
export default {
  title: 'Atrium',
  description: 'Self-hosted members’ portal for trading brokerages.',
  srcDir: 'pages',
  outDir: 'dist',
  rewrites: { 'docs/README.md': 'index.md', 'docs/:path*': ':path*' },
  // Links to what is no page (sources, folders) hold in the repository, where scripts/generate/docs.test.ts checks them.
  ignoreDeadLinks: [(link) => !/\.md(#|$)/.test(link) && !link.endsWith('/index')],
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      group('Members', 'members'),
      group('Staff', 'staff'),
      group('Operators', 'operators'),
      group('Trading platforms', 'operators/platforms'),
      group('Payment providers', 'operators/providers'),
      group('Developers', 'developers'),
      group('Decisions', 'decisions'),
    ],
    nav: [
      page('Members', 'members/README'),
      page('Staff', 'staff/README'),
      page('Operators', 'operators/README'),
      page('Developers', 'developers/README'),
      page('Changelog', 'CHANGELOG'),
    ],
  },
}

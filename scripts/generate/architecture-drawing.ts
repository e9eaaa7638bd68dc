import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const width = 960
const margin = 24
const foundation = ['foundation', 'postgres', 'queue', 'observability', 'migrations']
const contracts = ['payment-providers', 'trading-platforms', 'identity-vendors']
const entrances = ['admin', 'graphql', 'http']

/** Ignores empty folders: git leaves some behind after a move, and other clones do not have them. */
const foldersOf = (root: string, path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name)
    .filter((name) => readdirSync(join(root, path, name)).length > 0)
    .sort()

type Floor = { title: string; summary: string; names: string[] }

/** The program's layers, top to bottom: each may import from those below it. Their names are the existing folders. */
function floorsOf(root: string): Floor[] {
  const server = foldersOf(root, 'server')
  const ofServer = (names: string[]) => server.filter((name) => names.includes(name))
  const besides = [...foundation, ...contracts, ...entrances]
  return [
    {
      title: 'web',
      summary: 'browser: portal and desk are separate bundles',
      names: ['portal', 'desk', 'viewer', 'features', 'forms', 'ui', 'api'],
    },
    { title: 'contract', summary: 'calls, inputs, texts, limits: imported by web and server', names: [] },
    {
      title: 'server: entrances',
      summary: 'REST calls, queries, jobs, command line',
      names: ['calls', 'jobs', ...ofServer(entrances)],
    },
    {
      title: 'server: domains',
      summary: 'operations, queries and SQL',
      names: server.filter((name) => !besides.includes(name)),
    },
    {
      title: 'server: adapters',
      summary: 'one contract each, and a folder for each provider, platform and vendor',
      names: ofServer(contracts),
    },
    { title: 'server: foundation', summary: 'database, actor, audit, jobs, log, secrets', names: ofServer(foundation) },
    {
      title: 'outside',
      summary: 'PostgreSQL, files or S3, SMTP, ClamAV, platforms, providers; simulators in the demo',
      names: [],
    },
  ]
}

export function drawArchitecture(root: string): string {
  let top = margin
  const drawn = floorsOf(root).map((floor) => {
    const { text, height } = drawFloor(floor, top)
    top += height + 14
    return text
  })
  const height = top + margin - 14
  return `<!-- Drawn from the folders by npm run generate. -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>The floors of Atrium; imports go downwards</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${drawn.join('\n')}
</svg>
`
}

function drawFloor({ title, summary, names }: Floor, top: number): { text: string; height: number } {
  const chips: string[] = []
  let left = margin + 14
  let line = 0
  for (const name of names) {
    const size = Math.round(name.length * 7.8) + 20
    if (left + size > width - margin - 14) {
      left = margin + 14
      line += 1
    }
    const y = top + 38 + line * 32
    chips.push(
      `<rect x="${left}" y="${y}" width="${size}" height="24" rx="5" fill="#e6f4f1" stroke="#9ccfc4"/><text x="${left + 9}" y="${y + 16}" fill="#123b35">${name}</text>`,
    )
    left += size + 8
  }
  const height = names.length > 0 ? 38 + (line + 1) * 32 + 6 : 40
  const box = `<rect x="${margin}" y="${top}" width="${width - 2 * margin}" height="${height}" rx="8" fill="#f7f9fa" stroke="#c5ced3"/>`
  const head = `<text x="${margin + 14}" y="${top + 25}" fill="#16202a"><tspan font-weight="600">${title}</tspan><tspan dx="10" fill="#56636d">${summary}</tspan></text>`
  return { text: [box, head, ...chips].join('\n'), height }
}

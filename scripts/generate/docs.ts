/** Automatic checks of the documents. Each returns a list of problems. */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { environment, secretVariables } from '../../server/environment.ts'
import { findMisspelt } from '../../server/misspelt-settings.ts'

const exclude = ['**/node_modules/**', '.git/**', 'data/**', 'pictures/**', 'web/dist/**', 'docs/site/**']

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8')

export function findDocuments(root: string): string[] {
  return globSync('**/*.md', { cwd: root, exclude }).sort()
}

/** Links in code are examples and are ignored. */
const withoutCode = (text: string) => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')

function linksOf(text: string): string[] {
  const prose = withoutCode(text)
  const markdown = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map(([, target = '']) => target)
  const html = [...prose.matchAll(/<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/g)]
  return [...markdown, ...html.map(([, target = '']) => target)]
}

/** Anchors as GitHub generates them: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replace(/^```.*?^```/gms, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title)
  return headings.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

export function checkLinks(root: string): string[] {
  return findDocuments(root).flatMap((document) =>
    linksOf(read(root, document)).flatMap((link) => {
      if (/^[a-z][a-z+.-]*:/i.test(link)) return []
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? join(root, document) : resolve(join(root, dirname(document)), decodeURI(path))
      const isInside = !relative(root, target).startsWith('..')
      if (!isInside || !existsSync(target)) return [`${document}: ${link} leads to nothing`]
      const isKnown = !anchor || !target.endsWith('.md') || anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
      return isKnown ? [] : [`${document}: ${link} names no heading`]
    }),
  )
}

/** Reports pages under docs/ that no document links to. */
export function checkReachable(root: string): string[] {
  const documents = findDocuments(root)
  const reached = new Set(
    documents.flatMap((document) =>
      linksOf(read(root, document)).map((link) => join(dirname(document), (link.split('#')[0] ?? '') || '.')),
    ),
  )
  return documents.filter((file) => file.startsWith('docs/') && !reached.has(file)).map((file) => `${file}: no link`)
}

/** Every `npm run name` in a document must be a script of package.json, and every script must be documented. */
export function checkCommands(root: string): string[] {
  const scripts = Object.keys((JSON.parse(read(root, 'package.json')) as { scripts: object }).scripts)
  const named = (text: string) => [...text.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name = '']) => name)
  const workflows = globSync('{.github/**/*.{yml,md},.devcontainer/*.json}', { cwd: root })
  const unknown = [...findDocuments(root), ...workflows].flatMap((document) =>
    named(read(root, document))
      .filter((name) => !scripts.includes(name))
      .map((name) => `${document}: npm run ${name}`),
  )
  const page = 'docs/developers/commands.md'
  const listed = [...named(read(root, page)), 'start', 'test']
  const missing = scripts.filter((name) => !listed.includes(name)).map((name) => `${page}: nothing on npm run ${name}`)
  return [...unknown, ...missing]
}

/** Every message of a table of messages must be a text of the program, since operators search for it. */
export function checkMessages(root: string): string[] {
  const programs = globSync('{server,scripts,journeys}/**/*.{ts,js}', { cwd: root, exclude })
  const said = programs.map((file) => read(root, file).replace(/' \+\s+'/g, '')).join('\n')
  return globSync('docs/operators/*.md', { cwd: root }).flatMap((document) =>
    messagesOf(read(root, document))
      .filter((message) => !piecesOf(message).every((piece) => said.includes(piece)))
      .map((message) => `${document}: nothing says "${message}"`),
  )
}

function messagesOf(text: string): string[] {
  const tables = text.split('\n\n').filter((part) => part.startsWith('| Message |'))
  return tables.flatMap((table) => table.split('\n').slice(2)).map((row) => row.split('|')[1]?.trim() ?? '')
}

/** A value of the message stands as an ellipsis. */
const piecesOf = (message: string): string[] =>
  message
    .replaceAll('`', '')
    .split('\u2026')
    .map((piece) => piece.replace(/^[,:\s]+|[,:\s]+$/g, ''))
    .filter((piece) => piece !== '')

/** Documents and server configuration. Other files in these folders, such as local secrets, are not read. */
const setUp =
  '{*.md,docs/**/*.md,deploy/**/*.{md,yaml,yml,cfg,service,timer,sh,sql,json},deploy/{Dockerfile,atrium-admin}}'

/** Demonstrates the message about a misspelt variable. */
const slipOnPurpose = 'DATABSE_URL_FILE'

/** Every variable in a document or configuration file must be read by the program, or by a test or script. */
export function checkVariables(root: string): string[] {
  const settings = Object.keys(environment.shape)
  const taken = [...settings, ...secretVariables.map((name) => `${name}_FILE`), slipOnPurpose]
  // OTEL_… variables are also read by the OpenTelemetry library; all other prefixes are ours.
  const ours = new Set(settings.map((name) => `${name.split('_')[0]}_`).filter((first) => first !== 'OTEL_'))
  const besides = namesBesides(root, isReadOrNamed)
  const isMeant = (name: string) =>
    [...ours].some((first) => name.startsWith(first)) ||
    findMisspelt({ given: [name], settings, secrets: secretVariables }).misspelt.length > 0
  return globSync(setUp, { cwd: root, exclude }).flatMap((file) => {
    const named = new Set(read(root, file).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g))
    return [...named]
      .filter((name) => !taken.includes(name) && !besides.has(name) && isMeant(name))
      .map((name) => `${file}: nothing reads ${name}`)
  })
}

const isRead = /(?<=\benv(ironment)?\.)ATRIUM_[A-Z0-9_]+/g
const isReadOrNamed = /(?<=\benv(ironment)?\.|'|\{ )ATRIUM_[A-Z0-9_]+/g

/** Variables of ours that only tests or scripts read must not be reported as misspelt by commands in the same environment. */
export function checkOwnVariables(root: string): string[] {
  const settings = Object.keys(environment.shape)
  const given = [...namesBesides(root, isRead)]
  const { misspelt, unknown } = findMisspelt({ given, settings, secrets: secretVariables })
  return [...misspelt, ...unknown]
}

function namesBesides(root: string, pattern: RegExp): Set<string> {
  const sources = globSync('{bench,demo,journeys,scripts,server,simulators,tests}/**/*.{ts,js}', { cwd: root, exclude })
  return new Set(sources.flatMap((file) => read(root, file).match(pattern) ?? []))
}

/** Decisions must be numbered without a gap, and name a state and the rejected alternatives. */
export function checkDecisions(root: string): string[] {
  const files = globSync('docs/decisions/[0-9]*.md', { cwd: root }).sort()
  return files.flatMap((file, index) => {
    const text = read(root, file)
    const number = String(index + 1).padStart(4, '0')
    return [
      !file.startsWith(`docs/decisions/${number}-`) && `${file}: expected number ${number}`,
      !/^Status: (accepted|superseded by \[\d{4}\])/m.test(text) && `${file}: no status`,
      !/^## Rejected$/m.test(text) && `${file}: names no rejected alternatives`,
    ].filter((problem) => typeof problem === 'string')
  })
}

/** Every table must be listed in retention.md exactly once, and no dropped table may remain. */
export function checkRetention(root: string): string[] {
  const file = 'docs/operators/retention.md'
  const tables = [...read(root, 'server/migrations/schema.sql').matchAll(/^create table (\w+)/gim)].map(
    ([, name = '']) => name,
  )
  const named = [...read(root, file).matchAll(/`([a-z]+_?[a-z_]*)`/g)].map(([, name = '']) => name)
  const times = (table: string) => named.filter((name) => name === table).length
  return tables
    .filter((table) => times(table) !== 1)
    .map((table) => `${file}: ${table} is listed ${times(table)} times`)
}

// spec: OP operation
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { readConfig } from '../../server/config.ts'
import { environment } from '../../server/environment.ts'
import { checkCoverage, drawCoverage, specSections } from '../spec-coverage.ts'
import * as docs from './docs.ts'
import { pages, readVariables } from './generate-pages.ts'

const root = dirname(dirname(import.meta.dirname))

describe('the documents of this repository', () => {
  for (const [name, check] of [
    ['links have targets', docs.checkLinks],
    ['every page under docs/ is linked', docs.checkReachable],
    ['commands exist, and all are described', docs.checkCommands],
    ['every named variable is read', docs.checkVariables],
    ['every message of a table is a text of the program', docs.checkMessages],
    ['the program accepts every variable that tests and benchmarks read', docs.checkOwnVariables],
    ['decisions are numbered and name rejected alternatives', docs.checkDecisions],
    ['every table has one retention entry', docs.checkRetention],
    ['every section of the specification has a test', checkCoverage],
  ] as const) {
    test(name, () => assert.deepEqual(check(root), []))
  }

  for (const [path, draw] of Object.entries(pages))
    test(`${path} matches the code`, () => assert.equal(readFileSync(join(root, path), 'utf8'), draw(root)))

  test('every variable has a description and a section', () => {
    const variables = readVariables(root)
    assert.deepEqual(
      variables.map(({ name }) => name),
      Object.keys(environment.shape),
    )
    for (const { name, summary, section } of variables) assert.ok(summary && section, name)
  })

  test('workflows and templates are valid', () => {
    const files = globSync('.github/**/*.yml', { cwd: root })
    assert.ok(files.length > 3)
    for (const file of files) {
      const read = parse(readFileSync(join(root, file), 'utf8')) as { jobs?: Record<string, { steps: object[] }> }
      for (const { steps } of Object.values(read.jobs ?? {})) assert.ok(steps.length > 0, file)
    }
    for (const file of ['renovate.json', '.devcontainer/devcontainer.json'])
      assert.doesNotThrow(() => JSON.parse(readFileSync(join(root, file), 'utf8')), file)
  })

  test('the README has at most 700 words', () => {
    assert.ok(readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).length <= 700)
  })

  test('each section of the changelog has at most 700 words', () => {
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
    for (const section of changelog.split(/^## /m)) assert.ok(section.split(/\s+/).length <= 700, section.slice(0, 20))
  })

  test('every value in .env.example is valid', () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-example-'))
    try {
      const text = readFileSync(join(root, '.env.example'), 'utf8')
      const values = [...text.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value]) => [name, value])
      assert.doesNotThrow(() => readConfig({ ...Object.fromEntries(values), ATRIUM_DATA: folder }))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('the README lists the sign-ins of the demo', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    for (const word of [...Object.values(signIns), demoPassword]) assert.ok(readme.includes(word), word)
  })
})

describe('the checks', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-docs-'))
    write('server/a.ts', '')
    write('server/a.test.ts', '')
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  function write(file: string, text: string) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }

  for (const [name, text, problems] of [
    ['a file', '[a](server/a.ts)', 0],
    ['a heading', '# Two words, here\n[a](#two-words-here)', 0],
    ['another site', '[a](https://example.com/b)', 0],
    ['code', '`[a](b.md)`\n```\n[a](b.md)\n```\n', 0],
    ['nothing', '[a](b.md)', 1],
    ['a missing heading', '# One\n[a](#two)', 1],
    ['a missing picture', '<img src="docs/pictures/a.png" alt="">', 1],
    ['outside', '[a](../../etc/hosts)', 1],
  ] as const) {
    test(`${problems ? 'reports' : 'accepts'} a link to ${name}`, () => {
      write('README.md', text)
      assert.equal(docs.checkLinks(folder).length, problems)
    })
  }

  test('reports a section without a test, and an unknown section', () => {
    const [first = '', ...others] = Object.keys(specSections)
    write('server/b.test.ts', `// spec: ${others.join(', ')}\n`)
    assert.deepEqual(checkCoverage(folder), [`${first}: no test covers it`])
    write('web/c.journey.ts', `// spec: ${first}, MP 12\n`)
    assert.deepEqual(checkCoverage(folder), ['web/c.journey.ts: there is no section MP 12'])
    assert.match(drawCoverage(folder), new RegExp(`^[|] ${first} [|] .*\\[c[.]journey[.]ts\\]`, 'm'))
  })

  test('reports a table without a retention entry, and one with two entries', () => {
    write('server/migrations/schema.sql', 'create table kept (\n);\ncreate table goes_too (\n);\n')
    write('docs/operators/retention.md', '`kept` and `goes_too`')
    assert.deepEqual(docs.checkRetention(folder), [])
    write('docs/operators/retention.md', '`kept` and `kept`')
    assert.deepEqual(docs.checkRetention(folder), [
      'docs/operators/retention.md: kept is listed 2 times',
      'docs/operators/retention.md: goes_too is listed 0 times',
    ])
  })

  test('reports a message that the program does not say', () => {
    const table = (message: string) => `# Help\n\n| Message | Do |\n| --- | --- |\n| ${message} | Restart |\n\nMore.\n`
    write('server/c.ts', "throw new Error('The file ' + name + ' of ' + user)")
    write('docs/operators/one.md', table('`The file \u2026 of \u2026`'))
    assert.deepEqual(docs.checkMessages(folder), [])
    write('docs/operators/one.md', table('The file \u2026 is lost'))
    assert.deepEqual(docs.checkMessages(folder), ['docs/operators/one.md: nothing says "The file \u2026 is lost"'])
    rmSync(join(folder, 'docs/operators/one.md'))
  })

  test('reports an unused variable in server configuration and documents', () => {
    write('README.md', '')
    write('bench/one.ts', 'process.env.ATRIUM_BENCH_ROUNDS')
    const right =
      'DATABASE_URL, `DATABASE_URL_FILE`, S3_BUCKET=files, $ATRIUM_DATA, ATRIUM_BENCH_ROUNDS, POSTGRES_DB, AF_INET'
    write('docs/one.md', right)
    assert.deepEqual(docs.checkVariables(folder), [])
    for (const [file, name] of [
      ['docs/one.md', 'ATRIUM_DATABASE'],
      ['README.md', 'S3_BUKET'],
      ['deploy/README.md', 'DATABSE_URL'],
      ['deploy/compose.yaml', 'DATABASE_URL_FIEL'],
      ['deploy/haproxy.cfg', 'ATRIUM_PORT'],
      ['deploy/one.service', 'ATRIUM_DATA_FILE'],
      ['deploy/Dockerfile', 'ATRIUM_BENCH_ROUND'],
    ] as const) {
      const before = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
      write(file, `${right} ${name}`)
      assert.deepEqual(docs.checkVariables(folder), [`${file}: nothing reads ${name}`])
      write(file, before)
    }
  })

  test('reports a decision without alternatives or with a wrong number', () => {
    write('docs/decisions/0001-a.md', 'Status: accepted\n\n## Rejected\n')
    assert.deepEqual(docs.checkDecisions(folder), [])
    write('docs/decisions/0003-b.md', 'Status: accepted\n')
    assert.equal(docs.checkDecisions(folder).length, 2)
  })
})

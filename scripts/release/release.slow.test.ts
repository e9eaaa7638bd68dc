// spec: OP faults, OP operation
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { buildWeb, git, packRelease } from './release-pack.ts'

test('packing this repository is reproducible, with a new web build each time and without source maps', (context) => {
  const root = dirname(dirname(import.meta.dirname))
  commitElsewhere(root, context)
  const changelog = '## [1.0.0]\n\n- Everything.\n'
  const pack = () => packRelease({ root, version: '1.0.0', changelog, build: buildWeb })
  const sum = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
  const [first, second] = [pack(), pack()]
  assert.deepEqual(
    first.map(({ name, content }) => [name, sum(content)]),
    second.map(({ name, content }) => [name, sum(content)]),
  )
  const archive = first.find(({ name }) => name.endsWith('.tar.gz'))
  assert.ok(archive)
  const names = namesIn(gunzipSync(archive.content))
  for (const needed of [
    'server/main.ts',
    'web/dist/portal/index.html',
    'deploy/Dockerfile',
    'package-lock.json',
    '.npmrc',
  ])
    assert.ok(names.includes(`atrium-1.0.0/${needed}`), needed)
  assert.deepEqual(
    names.filter(
      (name) => name.endsWith('.map') || /^atrium-1\.0\.0\/(node_modules|data|pictures|release)\//.test(name),
    ),
    [],
  )
})

/** Commits the current files in a temporary repository: the original may not be a clone, or may have uncommitted changes. */
function commitElsewhere(root: string, context: TestContext): void {
  const GIT_DIR = mkdtempSync(join(tmpdir(), 'atrium-git-'))
  context.after(() => rmSync(GIT_DIR, { recursive: true, force: true }))
  Object.assign(process.env, { GIT_DIR, GIT_WORK_TREE: root })
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
  git(root, 'init', '--quiet')
  git(root, 'add', '--all')
  git(root, ...who, 'commit', '--quiet', '--message', 'What lies there')
}

/** A tar entry has a header of 512 bytes, and its content is padded to blocks of 512. */
function namesIn(tar: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const field = (from: number, to: number): string => tar.toString('latin1', at + from, at + to).replace(/\0.*$/s, '')
    const prefix = field(345, 500)
    names.push(prefix ? `${prefix}/${field(0, 100)}` : field(0, 100))
    at += 512 + Math.ceil(Number.parseInt(field(124, 136), 8) / 512) * 512
  }
  return names
}

// spec: OP faults
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findSecrets, searchRepository } from './secrets.ts'

// Under a git hook these variables would redirect our commits into the hook's repository.
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]

/** Assembled here, so that this file does not contain a secret itself. */
const letters = (count: number): string => 'q7Rt2Xb9'.repeat(9).slice(0, count)
const secrets: [text: string, kind: string][] = [
  [`-----BEGIN ${'EC '}PRIVATE KEY-----\n${letters(64)}\n${letters(32)}\n-----END`, 'a private key'],
  [`"key": "-----BEGIN ${''}PRIVATE KEY-----\\n${letters(64)}\\n-----END`, 'a private key'],
  [`AKIA${'Q7RT2XB9'.repeat(2)}`, 'a key of Amazon'],
  [`ghp_${letters(36)}`, 'a token of GitHub'],
  [`glpat-${letters(20)}`, 'a token of GitLab'],
  [`//registry.example.com/:_authToken=npm_${letters(36)}`, 'a token of npm'],
  [`xoxb-${letters(24)}`, 'a token of Slack'],
  [`sk_live_${letters(24)}`, 'a live key of a payment provider'],
  [`AIza${letters(35)}`, 'a key of Google'],
  [`eyJ${letters(20)}.eyJ${letters(40)}.${letters(43)}`, 'a signed token'],
  [`postgres://atrium:${letters(12)}@db.example.com/atrium`, 'a password in an address'],
  [`smtps://user:${letters(9)}@mail.example.com:465`, 'a password in an address'],
  [`const apiKey = '${letters(32)}'`, 'a secret by its name'],
  [`SECRET_KEY=${letters(44)}`, 'a secret by its name'],
  [`{ "client_secret": "${letters(40)}" }`, 'a secret by its name'],
]

describe('a secret', () => {
  for (const [text, kind] of secrets)
    test(`is found in ${text.slice(0, 24)}…`, () => {
      assert.ok(findSecrets(text).some((found) => found.kind === kind))
    })

  for (const text of [
    'const token = await readToken(request)',
    "const secretVariables = ['ATRIUM_SECRET_KEY', 'ATRIUM_SECRET_KEYS_OTHER']",
    'ATRIUM_SECRET_KEY_FILE=/run/secrets/atrium_key',
    'postgres://atrium@db.example.com/atrium',
    'postgres://$' + '{user}:$' + '{password}@db.example.com/atrium',
    `password: resetPasswordOfTheMember2Sentences(member)`,
    '"integrity": "sha512-QqdF0XmQ9gXx1lBcKz1Yq0Yv4eTqkM1w1mFZ0m8g2Ew7R1m3m5i1Vd8cQ0uQ3Zy2Fh2f3dYbJ1J0nQ7v4lQ0g=="',
  ])
    test(`is not reported for ${text.slice(0, 60)}`, () => assert.deepEqual(findSecrets(text), []))
})

test('a removed secret is found in the history and not printed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-secrets-'))
  const [secret = ''] = secrets[3] ?? []
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
    const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }
  const commit = (text: string, message: string): void => {
    writeFileSync(join(folder, 'notes with a space.md'), text)
    git('add', '.')
    git('commit', '--quiet', '--message', message)
  }
  try {
    git('init', '--quiet')
    commit('Nothing yet.\n', 'Begin')
    assert.deepEqual(searchRepository(folder), [])
    writeFileSync(join(folder, 'new.md'), secret)
    assert.deepEqual(searchRepository(folder), ['new.md: looks like a token of GitHub (not committed yet)'])
    rmSync(join(folder, 'new.md'))
    commit(`It is ${secret}.\n`, 'Write it down')
    commit('It is elsewhere.\n', `Take ${secret} out`)
    const found = searchRepository(folder)
    assert.equal(found.length, 2)
    assert.match(found[0] ?? '', /^a message: looks like a token of GitHub \(git show [0-9a-f]{12}\)$/)
    assert.match(found[1] ?? '', /^notes with a space\.md: looks like a token of GitHub/)
    assert.ok(!found.join().includes(secret))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

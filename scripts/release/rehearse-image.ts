/**
 * Runs the steps of deploy/Dockerfile in a temporary folder, starts the result as a container would (unprivileged user,
 * read-only files, production), checks readiness and health, and stops it. For machines without a container engine: the
 * base image is the local Node, and absolute paths inside the image are ignored.
 */

import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { freePort } from '../../tests/doubles/child-server.ts'
import { freshDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { type ImageStage, readCommand, readStages, readVariables } from './image-steps.ts'

const repository = dirname(dirname(import.meta.dirname))
const ordinaryUser = 65_534
const print = (what: string): void => console.log(`  ${what}`)

const folder = mkdtempSync(join(tmpdir(), 'atrium-image-'))
try {
  await rehearse()
} finally {
  makeWritable(folder)
  rmSync(folder, { recursive: true, force: true })
}

async function rehearse(): Promise<void> {
  const stages = readStages(readFileSync(join(repository, 'deploy', 'Dockerfile'), 'utf8'))
  const places = new Map<string, string>()
  let last: Made | undefined
  for (const [at, stage] of stages.entries()) {
    last = make(stage, join(folder, String(at)), places)
    if (stage.name) places.set(stage.name, last.place)
  }
  if (!last) throw new Error('There is no stage')
  print(`The image would add ${Math.round(sizeOf(last.place) / 1e6)} MB to its base.`)
  await start(last)
}

type Made = { place: string; environment: Record<string, string>; command: string; health: string; user: string }

function make(stage: ImageStage, place: string, places: Map<string, string>): Made {
  mkdirSync(place)
  const made: Made = { place, environment: {}, command: '', health: '', user: '' }
  for (const { word, flags, rest } of stage.steps) {
    if (word === 'ENV') Object.assign(made.environment, readVariables(rest))
    else if (word === 'CMD') made.command = rest
    else if (word === 'USER') made.user = rest
    else if (word === 'HEALTHCHECK') made.health = rest.replace(/^CMD\s+/, '')
    else if (word === 'COPY')
      copy(rest, place, flags.from === undefined ? repository : place, places.get(flags.from ?? ''))
    else if (word === 'RUN') run(rest, made)
  }
  return made
}

/** Leaves out the files that .dockerignore excludes from the build context. */
function copy(rest: string, place: string, from: string, stage: string | undefined): void {
  const sources = rest.split(/\s+/)
  const target = sources.pop() ?? ''
  for (const source of sources) {
    const path = stage ? join(stage, source.replace(/^\/atrium\/?/, '')) : join(from, source)
    const isInto = target.endsWith('/') || target === '.' || sources.length > 1
    const to = isInto ? join(place, target, basename(source)) : join(place, target)
    const isWanted = (each: string) => stage !== undefined || !/(\/node_modules|\/dist|\.test\.tsx?)$/.test(each)
    cpSync(path, to, { recursive: true, verbatimSymlinks: true, filter: isWanted })
  }
}

function run(line: string, { place, environment }: Made): void {
  print(line)
  const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: place, env: { ...process.env, ...environment } })
  if (status !== 0) throw new Error(`${line}\n${stderr}`)
}

async function start({ place, environment, command, health, user }: Made): Promise<void> {
  if (!user || user === 'root') throw new Error('The image runs as root.')
  const database = await freshDatabase()
  const data = join(folder, 'data')
  mkdirSync(data)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(data, ordinaryUser, ordinaryUser)
  spawnSync('chmod', ['-R', 'a-w,a+rX', place])
  spawnSync('chmod', ['711', folder])
  const port = String(await freePort())
  const ATRIUM_SECRET_KEY = randomBytes(32).toString('base64')
  const own = { ATRIUM_SECRET_KEY, DATABASE_URL: database.ownerUrl, LOG_LEVEL: 'warn' }
  const env = { PATH: process.env.PATH, HOME: data, ...environment, ATRIUM_DATA: data, PORT: port, ...own }
  const as = { cwd: place, env, ...(isRoot && { uid: ordinaryUser, gid: ordinaryUser }) }
  const [program, ...parts] = readCommand(command)
  const child = spawn(program === 'node' ? process.execPath : program, parts, { ...as, stdio: 'inherit' })
  const ended = once(child, 'exit')
  try {
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    for (let tries = 0; !(await isReady()); tries += 1) {
      if (child.exitCode !== null || tries > 600) throw new Error('The image did not become ready.')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    sayWhatWaits(as)
    const page = await fetch(`http://127.0.0.1:${port}/login`)
    if (!(await page.text()).includes('<script')) throw new Error('The image serves no pages.')
    const [checker, ...of] = readCommand(health)
    const { status, stderr } = spawnSync(checker, of, as)
    if (status !== 0) throw new Error(`The image is not healthy: ${stderr}`)
    child.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`The image exited with ${code} when it was stopped.`)
    print('Ready and healthy, with pages and commands, and stopped when asked to.')
  } finally {
    child.kill('SIGKILL')
    await ended
    await database.drop()
  }
}

/** Replaces npm and Node of the base image by the local ones, which are in one folder. */
function sayWhatWaits(as: { cwd: string; env: Record<string, string | undefined> }): void {
  const PATH = [dirname(process.execPath), as.env.PATH].join(delimiter)
  const words = ['run', '--silent', 'admin', '--', 'jobs', 'list', '--json']
  const { status, stdout, stderr } = spawnSync('npm', words, { ...as, env: { ...as.env, PATH }, encoding: 'utf8' })
  if (status !== 0) throw new Error(`A command fails: ${stdout}${stderr}`)
  if (!Array.isArray(JSON.parse(stdout))) throw new Error(`This is not the answer of a command: ${stdout}`)
}

function sizeOf(path: string): number {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

function makeWritable(path: string): void {
  if (existsSync(path)) spawnSync('chmod', ['-R', 'u+w', path])
}

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeProgram, repository, SetUpProblem } from './setup.js'

/**
 * Runs a command line on Node 24 until it ends, passes signals on, and answers its exit code. What does not read from
 * the terminal gets a process group of its own: Ctrl+C then reaches it once, from us, not twice.
 */
export function launch(args, { env = process.env, interactive = false } = {}) {
  // A launcher that is killed outright can pass nothing on; the program then ends by itself.
  const preload = pathToFileURL(join(repository, 'scripts', 'end-with-launcher.js')).href
  const nodeArgs = ['--import', preload, ...args]
  const stdio = [interactive ? 'inherit' : 'ignore', 'inherit', 'inherit', 'ipc']
  // What was read of thousands of small files once is read at once the next time, also by what the program begins.
  const NODE_COMPILE_CACHE = join(repository, 'node_modules', '.cache', 'compiled')
  const options = { env: { NODE_COMPILE_CACHE, ...env }, stdio }
  return follow(nodeProgram(), nodeArgs, { ...options, detached: !interactive && process.platform !== 'win32' })
}

/** Runs a program that an installed package brings. */
export function launchBin(name, args) {
  const PATH = [join(repository, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const options = { env: { ...process.env, PATH }, stdio: 'inherit', shell: process.platform === 'win32' }
  return follow(name, args, options)
}

function follow(command, args, options) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: repository, ...options })
    let passedOn = -Infinity
    const passOn = (signal) => {
      // In our group, the terminal has sent Ctrl+C to the program as well, and twice means "at once" to many.
      if (signal === 'SIGINT' && !options.detached && process.stdin.isTTY) return
      // npm passes on what the terminal has sent to us already.
      if (performance.now() - passedOn < 1_000) return
      passedOn = performance.now()
      child.kill(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn)
    const watch = endWithNpm(() => child.kill('SIGTERM'))
    child.once('error', fail)
    child.once('exit', (code, signal) => {
      clearInterval(watch)
      done(code ?? 128 + constants.signals[signal])
    })
  })
}

/** npm that is killed outright leaves us behind, with the port and the data still taken. */
function endWithNpm(end) {
  if (!process.env.npm_lifecycle_event) return undefined
  const before = ancestors()
  return setInterval(() => ancestors() !== before && end(), 1_000)
}

/** Our parent is npm, or the shell that npm made and that outlives it. */
function ancestors() {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8')
    return `${process.ppid} ${/^PPid:\s+(\d+)/m.exec(status)?.[1]}`
  } catch {
    return String(process.ppid) // Not on Linux.
  }
}

/** The frame of each command: a sentence instead of a stack for what the user can mend, the exit code for the shell. */
export async function main(command) {
  try {
    process.exitCode = await command(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof SetUpProblem ? error.message : error)
    process.exitCode = 1
  }
  process.exit()
}

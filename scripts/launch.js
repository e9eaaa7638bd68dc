import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { explainFolder, nodeProgram, repository, SetUpProblem } from './setup.js'

/**
 * Runs a command line on Node 24 until it ends, forwards signals and returns its exit code. A non-interactive program
 * gets its own process group, so that Ctrl+C reaches it once, from the launcher.
 */
export function launch(args, { env = process.env, interactive = false } = {}) {
  // A killed launcher cannot forward signals; the preloaded script then ends the program.
  const preload = pathToFileURL(join(repository, 'scripts', 'end-with-launcher.js')).href
  const nodeArgs = [...youngGenerationArgs, '--import', preload, ...args]
  const stdio = [interactive ? 'inherit' : 'ignore', 'inherit', 'inherit', 'ipc']
  // Node caches compiled modules here, also for child processes, which shortens later starts.
  const NODE_COMPILE_CACHE = join(repository, 'node_modules', '.cache', 'compiled')
  const options = { env: { NODE_COMPILE_CACHE, ...env }, stdio }
  return follow(nodeProgram(), nodeArgs, { ...options, detached: !interactive && process.platform !== 'win32' })
}

/**
 * A young generation of 32 MB for the garbage collector: with the default of 1 to 16 it runs every few milliseconds
 * (docs/decisions/0081). The same as in deploy/.
 */
export const youngGenerationArgs = ['--min-semi-space-size=32', '--max-semi-space-size=32']

/** Runs an executable of an installed package. */
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
      // In the same process group the terminal already sent Ctrl+C, and a second one often forces an immediate exit.
      if (signal === 'SIGINT' && !options.detached && process.stdin.isTTY) return
      // npm forwards the signal that the terminal has already sent.
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

/** Ends the program after npm was killed: otherwise it keeps the port and the data directory. */
function endWithNpm(end) {
  if (!process.env.npm_lifecycle_event) return undefined
  const before = ancestors()
  return setInterval(() => ancestors() !== before && end(), 1_000)
}

/** Parent and grandparent: the parent is npm, or a shell of npm that outlives it. */
function ancestors() {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8')
    return `${process.ppid} ${/^PPid:\s+(\d+)/m.exec(status)?.[1]}`
  } catch {
    return String(process.ppid) // Not on Linux.
  }
}

/** Runs a command: prints a sentence for a fixable problem and a stack trace otherwise, and sets the exit code. */
export async function main(command) {
  try {
    process.exitCode = await command(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof SetUpProblem ? error.message : (explainFolder(error) ?? error))
    process.exitCode = 1
  }
  process.exit()
}

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeProgram, repository, SetUpProblem } from './setup.js'

/** Runs a command line on Node 24 until it ends, passes signals on, and answers its exit code. */
export function launch(args, { env = process.env } = {}) {
  // A launcher that is killed outright can pass nothing on; the program then ends by itself.
  const preload = pathToFileURL(join(repository, 'scripts', 'end-with-launcher.js')).href
  const nodeArgs = ['--import', preload, ...args]
  return follow(nodeProgram(), nodeArgs, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
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
    const passOn = (signal) => {
      // The terminal has sent Ctrl+C to the program as well, and twice means "at once" to many.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
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

/** npm that is killed outright leaves us behind; without this the port and the data would stay taken. */
function endWithNpm(end) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return undefined
  return setInterval(() => process.ppid !== parent && end(), 1_000)
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

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { plantedFaults } from './planted-faults/every-fault.ts'
import type { PlantedFault } from './planted-faults/planted-fault.ts'

/**
 * Plants each fault in a copy of the project and shows that its tests turn red. A test that stays green with the fault in
 * place proves nothing, and fails this run. Words on the command line choose faults by name: all of them stand in it, or
 * all of those between two commas.
 */
const root = dirname(import.meta.dirname)
const wanted = process.argv.slice(2).join(' ').split(',')
const copied = [
  'contract',
  'server',
  'simulators',
  'tests',
  'demo',
  'web/features',
  'web/ui',
  'web/api',
  'web/dist',
  'scripts',
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.env.example',
  'tsconfig.json',
]
const copy = copyProject()
let caught = 0
let missed = 0

try {
  const faults = plantedFaults.filter(({ name }) =>
    wanted.some((words) => words.split(' ').every((word) => name.includes(word))),
  )
  const unbroken = [...new Set(faults.flatMap((fault) => fault.tests))]
  const { status } = runTests(unbroken)
  report(
    'without a fault the tests are green',
    status === 0,
    status === null ? 'their time ran out' : 'they are red already',
  )
  for (const fault of faults) tryFault(fault)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${caught} passed, ${missed} failed`)
process.exitCode = missed === 0 && caught > 0 ? 0 : 1

function tryFault(fault: PlantedFault): void {
  const path = join(copy, fault.file)
  const sound = readFileSync(path, 'utf8')
  const places = sound.split(fault.find).length - 1
  if (places !== 1) {
    report(fault.name, false, `its place in ${fault.file} is there ${places} times`)
    return
  }
  writeFileSync(
    path,
    sound.replace(fault.find, () => fault.replace),
  )
  const { status, output } = runTests(fault.tests)
  writeFileSync(path, sound)
  // Neither a fault that breaks the syntax nor a test that never came to its end shows anything about the tests.
  const isBroken = /SyntaxError|ERR_INVALID_TYPESCRIPT_SYNTAX/.test(output)
  const otherwise = isBroken ? 'it does not even parse' : status === null ? 'its time ran out' : 'the tests stay green'
  report(`${fault.name} (${fault.guards})`, status !== null && status !== 0 && !isBroken, otherwise)
}

function runTests(files: string[]): { status: number | null; output: string } {
  const run = spawnSync(process.execPath, ['--test', '--test-reporter=dot', ...files], {
    cwd: copy,
    encoding: 'utf8',
    timeout: Math.max(300_000, 30_000 * files.length),
  })
  return { status: run.status, output: `${run.stdout}${run.stderr}` }
}

function report(name: string, isCaught: boolean, otherwise: string): void {
  if (isCaught) caught += 1
  else missed += 1
  console.log(`  ${isCaught ? '✔' : '✖'} ${name}${isCaught ? '' : `: ${otherwise}`}`)
}

/** Sources are copied, installed packages linked; the project's own packages must be the copies, not the originals. */
function copyProject(): string {
  const target = mkdtempSync(join(tmpdir(), 'atrium-faults-'))
  for (const name of copied) {
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(target, name), { recursive: true, filter: isSource })
  }
  mkdirSync(join(target, 'node_modules/@atrium'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@atrium') symlinkSync(join(root, 'node_modules', name), join(target, 'node_modules', name))
  }
  for (const name of ['contract', 'server', 'simulators']) {
    symlinkSync(join(target, name), join(target, 'node_modules/@atrium', name))
  }
  return target
}

function isSource(path: string): boolean {
  return !path.endsWith('node_modules')
}

import { randomInt } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { openTestRun } from '../testing/test-database.ts'
import { openReach } from '../testing/test-imports.ts'
import { mutations } from './every-mutation.ts'
import { draw, filesToMutate, type Mutant, mutantsOf, randomBySeed, testsReaching } from './mutants.ts'
import { copyProject, judge, type Running, redOf, running } from './mutation-run.ts'
import { isParsed } from './mutator.ts'

const usage = `Usage: npm run test:mutations                          twenty mutations by a seed that is printed
       npm run test:mutations -- --sample 40 --seed 7   as many as that, the same ones each time
       npm run test:mutations -- --all                  every listed one, which takes hours
       npm run test:mutations -- WORDS, OTHER WORDS     the listed ones whose name contains all of the words
       npm run test:mutations -- --file FILE …          all that the mutator finds in these files, one at a time`

/**
 * Applies mutations to a copy of the project and checks that its tests fail: the listed ones (scripts/mutations/), and
 * generated ones that change one place (scripts/mutations/mutator.ts). The run fails if a mutation survives.
 */
const root = dirname(dirname(import.meta.dirname))
const workers = 2

type Planned = {
  name: string
  file: string
  tests: string[]
  /** An endless loop counts as caught, like a failed test. */
  mayHang: boolean
  change(sound: string): string | null
}

const otherwise = {
  green: 'the tests stay green',
  red: '',
  'not loaded': 'its file cannot be loaded',
  'not ended': 'its time ran out',
}

/** Test files that pass without a mutation: a file that fails anyway proves nothing. */
const soundness = new Map<string, boolean>()

const copies: string[] = []
let interrupted = false
const isInterrupted = () => interrupted
let testsOf: ((file: string) => string[]) | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interrupted = true
    for (const child of running) child.kill('SIGTERM')
  })

const planned = plan()
if (planned.length === 0) {
  console.error(usage)
  process.exitCode = 2
} else process.exitCode = await main(planned)

function plan(): Planned[] {
  const { values, positionals } = parseArgs({
    options: {
      sample: { type: 'string' },
      seed: { type: 'string' },
      all: { type: 'boolean' },
      file: { type: 'string', multiple: true },
    },
    allowPositionals: true,
  })
  if (values.file) return mutantsIn(values.file).map(ofMutant)
  if (values.all) return mutations.map(ofList)
  if (positionals.length > 0) return named(positionals.join(' ')).map(ofList)
  const [sample, seed] = [Number(values.sample ?? 20), Number(values.seed ?? randomInt(1e9))]
  if (!Number.isSafeInteger(sample) || sample < 1 || !Number.isSafeInteger(seed)) return []
  console.log(`--sample ${sample} --seed ${seed}`)
  const next = randomBySeed(seed)
  const listed = draw(mutations, Math.ceil(sample / 2), next).map(ofList)
  // Draws files first, then one change of each: otherwise long files would be drawn more often.
  const files = draw(filesToMutate(root), filesToMutate(root).length, next)
  const others: Planned[] = []
  for (const file of files) {
    if (others.length >= Math.floor(sample / 2)) break
    const judged = mutantsIn([file]).filter(({ tests }) => tests.length > 0)
    others.push(...draw(judged, 1, next).map(ofMutant))
  }
  return [...listed, ...others]
}

function named(words: string) {
  const wanted = words.split(',').map((each) => each.trim().split(/\s+/))
  return mutations.filter(({ name }) => wanted.some((all) => all.every((word) => name.includes(word))))
}

function mutantsIn(files: readonly string[]): Mutant[] {
  testsOf ??= testsReaching(root, openReach(root))
  const tests = testsOf
  return files.flatMap((file) => mutantsOf(root, relative(root, join(root, file)).replaceAll('\\', '/'), tests))
}

function ofMutant({ name, file, tests, text }: Mutant): Planned {
  return { name, file, tests, mayHang: true, change: () => text }
}

function ofList({ name, guards, file, tests, find, replace }: (typeof mutations)[number]): Planned {
  const change = (sound: string) => (sound.split(find).length === 2 ? sound.replace(find, () => replace) : null)
  return { name: `${name} (${guards})`, file, tests, mayHang: false, change }
}

async function main(all: readonly Planned[]): Promise<number> {
  const run = await openTestRun({ given: process.env.DATABASE_URL, settings: {}, isNeeded: true })
  const { DATABASE_URL: _given, ...environment } = process.env
  const places = { ATRIUM_TEST_DATABASE_URL: run.url, TMPDIR: run.temporary }
  const env: NodeJS.ProcessEnv = { ...environment, NODE_ENV: 'test', ...places }
  const counts = { caught: 0, missed: 0 }
  const count = (name: string, isCaught: boolean, otherwise: string): void => {
    counts[isCaught ? 'caught' : 'missed'] += 1
    console.log(`  ${isCaught ? '✔' : '✖'} ${name}${isCaught ? '' : `: ${otherwise}`}`)
  }
  try {
    for (let worker = 0; worker < workers; worker++) copies.push(copyProject(root))
    const waiting = [...all]
    const work = async (cwd: string): Promise<void> => {
      for (let each = waiting.shift(); each && !interrupted; each = waiting.shift()) {
        const [isCaught, otherwise] = await tryOne(each, cwd, env)
        if (!interrupted) count(each.name, isCaught, otherwise)
      }
    }
    await Promise.all(copies.map(work))
  } finally {
    for (const child of running) child.kill('SIGKILL')
    for (const copy of copies) rmSync(copy, { recursive: true, force: true })
    await run.close()
  }
  console.log(`${counts.caught} caught, ${counts.missed} missed`)
  return counts.missed === 0 && counts.caught > 0 && !interrupted ? 0 : 1
}

async function tryOne(
  { file, tests, mayHang, change }: Planned,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<[boolean, string]> {
  const path = join(cwd, file)
  const sound = readFileSync(path, 'utf8')
  const changed = change(sound)
  if (changed === null) return [false, `its place in ${file} is not there once`]
  if (file.endsWith('.ts') && !isParsed(changed)) return [false, 'it does not parse']
  if (tests.length === 0) return [false, 'no fast test reaches it']
  const alone = { cwd, env, workers: 1, isInterrupted }
  for (let left = tests; ; ) {
    writeFileSync(path, changed)
    const red = await redOf(left, { ...alone, stopsAtRed: true })
    writeFileSync(path, sound)
    const verdict = judge(red)
    if (verdict !== 'red') return [mayHang && verdict === 'not ended', otherwise[verdict]]
    const shows = await areGreen(red.files, alone)
    if (shows || interrupted) return [shows, '']
    left = left.filter((test) => !red.files.includes(test))
    if (left.length === 0) return [false, `${red.files.join(', ')} is red without it, too`]
  }
}

async function areGreen(tests: readonly string[], alone: Omit<Running, 'stopsAtRed'>): Promise<boolean> {
  const unknown = tests.filter((test) => !soundness.has(test))
  const red = await redOf(unknown, { ...alone, stopsAtRed: false })
  for (const test of unknown) soundness.set(test, !red.files.includes(test) && !red.isOver)
  return tests.every((test) => soundness.get(test))
}

import type { ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlone } from '../testing/test-plan.ts'
import { type FileReport, runPool, type TestFile } from '../testing/test-pool.ts'

/** The processes of all running mutations, which an interruption must end. */
export const running = new Set<ChildProcess>()

const timeMsMax = 600_000

type Verdict = 'green' | 'red' | 'not loaded' | 'not ended'
export type Running = {
  cwd: string
  env: NodeJS.ProcessEnv
  workers: number
  stopsAtRed: boolean
  isInterrupted(): boolean
}

type Red = { files: string[]; reasons: string[]; isOver: boolean }

/** A module that fails to load or a test that does not end says nothing about the tests. */
export function judge({ files, reasons, isOver }: Red): Verdict {
  if (isOver) return 'not ended'
  if (reasons.some((reason) => reason.includes('does not provide an export named'))) return 'not loaded'
  return files.length > 0 ? 'red' : 'green'
}

export async function redOf(
  tests: readonly string[],
  { cwd, env, workers, stopsAtRed, isInterrupted }: Running,
): Promise<Red> {
  const own = new Set<ChildProcess>()
  const red: Red = { files: [], reasons: [], isOver: false }
  const timer = setTimeout(
    () => {
      red.isOver = true
      for (const child of own) child.kill('SIGKILL')
    },
    Math.max(timeMsMax, 60_000 * tests.length),
  )
  const onFile = ({ file, failed, skipped, reds }: FileReport): void => {
    if (failed + skipped > 0) red.files.push(file)
    red.reasons.push(...reds)
  }
  const files = tests.map((path): TestFile => ({ path, isAlone: isAlone(path, cwd) }))
  const mayBegin = () => !isInterrupted() && !red.isOver && !(stopsAtRed && red.files.length > 0)
  await runPool(files, { cwd, env, workers, onFile, mayBegin, output: 'ignore', running: tracked(own) })
  clearTimeout(timer)
  return red
}

/** A process set for one mutation that also registers its members in `running`. */
function tracked(own: Set<ChildProcess>): Set<ChildProcess> {
  const { add, delete: remove } = own
  own.add = (child) => {
    running.add(child)
    return add.call(own, child)
  }
  own.delete = (child) => {
    running.delete(child)
    return remove.call(own, child)
  }
  return own
}

/** Copies sources and links installed packages; the project's own packages must resolve to the copies. */
export function copyProject(root: string): string {
  const target = mkdtempSync(join(tmpdir(), 'atrium-mutations-'))
  const left = ['node_modules', '.git', 'data', 'release', 'pictures']
  for (const name of readdirSync(root))
    if (!left.includes(name))
      cpSync(join(root, name), join(target, name), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      })
  mkdirSync(join(target, 'node_modules/@atrium'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@atrium') symlinkSync(join(root, 'node_modules', name), join(target, 'node_modules', name))
  for (const name of ['contract', 'server', 'simulators'])
    if (existsSync(join(target, name))) symlinkSync(join(target, name), join(target, 'node_modules/@atrium', name))
  return target
}

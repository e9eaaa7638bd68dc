import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Queue } from '../../server/queue/jobs.ts'

export type HangingWorker = { hasTaken: Promise<void>; kill(): Promise<void> }

const addressOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)

/** Takes the jobs of one queue, reports it, and never finishes the first one. */
const program = `
  const { makeLog } = await import(${addressOf('../../server/observability/log.ts')})
  const { openJobs } = await import(${addressOf('../../server/queue/jobs.ts')})
  const { openMetrics } = await import(${addressOf('../../server/metrics/metrics.ts')})
  const [programUrl, queue] = process.argv.slice(1)
  const jobs = await openJobs(programUrl, { log: makeLog('fatal'), metrics: openMetrics() })
  const hang = () => {
    process.send('taken')
    return new Promise(() => undefined)
  }
  await jobs.start({ [queue]: hang })`

/** A separate process that holds a job and can be killed as in a power cut. */
export function startHangingWorker(programUrl: string, queue: Queue): HangingWorker {
  const endWithLauncher = new URL('../../scripts/end-with-launcher.js', import.meta.url).href
  const child = spawn(
    process.execPath,
    ['--import', endWithLauncher, '--input-type=module', '-e', program, programUrl, queue],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  const exited = once(child, 'exit')
  const ended = exited.then(() => Promise.reject(new Error('The worker ended before it had a job.')))
  const hasTaken = Promise.race([once(child, 'message').then(() => undefined), ended])
  hasTaken.catch(() => undefined)
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return { hasTaken, kill }
}

import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { commitBefore, type OlderCode, takeOlderCode } from '../../tests/upgrade/older-code.ts'
import type { OtherProcess } from './several-processes.ts'

/** `stop` returns the problem that occurred meanwhile, if any. */
export type Chaos = { stop(): Promise<unknown> }

/** Optional: restarts one process after another while a journey runs on several processes. */
export const isChaotic = Boolean(process.env.ATRIUM_TEST_CHAOS)

/** With `ATRIUM_TEST_CHAOS=upgrade`, the restarted processes begin with the previous version’s code. */
export async function takeCodeToUpgrade(): Promise<OlderCode | null> {
  if (process.env.ATRIUM_TEST_CHAOS !== 'upgrade') return null
  const commit = commitBefore()
  assert.ok(commit, 'the history of the repository contains the previous version')
  const older = await takeOlderCode(commit)
  // All processes serve this version's pages: the previous version may not know a newer build (docs/operators/upgrading.md).
  symlinkSync(fileURLToPath(new URL('../../web/dist', import.meta.url)), join(older.folder, 'web', 'dist'), 'junction')
  return older
}

/** Browser errors for requests in flight on a killed process: no response, or a truncated one. */
export const chaosErrors = ['with a status of 502 ', 'ERR_EMPTY_RESPONSE', 'ERR_INCOMPLETE_CHUNKED_ENCODING']

type Disturbed = { processes: readonly OtherProcess[]; lost: readonly string[] }

const pauseMs = { min: 5_000, max: 8_000 }

/**
 * Stops one process at a time, alternating between graceful shutdown (a restart or upgrade) and kill (a power cut), and
 * swapping the two each round. The next turn begins only when the process is ready again.
 */
export function startChaos({ processes, lost }: Disturbed): Chaos {
  const over = new AbortController()
  const counts = { ended: 0, killed: 0 }

  async function goOn(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      await delay(pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min), undefined, { signal: over.signal })
      const one = processes[turn % processes.length]
      assert.ok(one)
      const round = Math.floor(turn / processes.length)
      if ((turn + round) % 2 === 0) {
        assert.equal(await one.end(), 0, 'a process shuts down by itself with exit code 0')
        counts.ended += 1
      } else {
        await one.kill()
        counts.killed += 1
      }
      await one.start()
    }
  }

  const isAborted = (problem: unknown): boolean => problem instanceof Error && problem.name === 'AbortError'
  const going = goOn().catch((problem: unknown) => (isAborted(problem) ? null : problem))
  return {
    async stop() {
      over.abort()
      const problem = await going
      process.stdout.write(
        `  chaos: ${counts.ended} processes asked to end, ${counts.killed} killed, lost: ${lost.join(', ') || 'nothing'}\n`,
      )
      return problem
    },
  }
}

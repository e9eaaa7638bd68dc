import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { commitBefore, type OlderCode, takeOlderCode } from '../../tests/upgrade/older-code.ts'
import type { OtherProcess } from './several-processes.ts'

/** `stop` answers with what went wrong meanwhile, if something did. */
export type Unrest = { stop(): Promise<unknown> }

/** By hand: while a journey is walked on several processes, one after the other goes and comes back. */
export const isUnrestful = Boolean(process.env.ATRIUM_TEST_UNREST)

/** `ATRIUM_TEST_UNREST=upgrade`: those that come and go are of the version before until they come back. */
export async function takeCodeToUpgrade(): Promise<OlderCode | null> {
  if (process.env.ATRIUM_TEST_UNREST !== 'upgrade') return null
  const commit = commitBefore()
  assert.ok(commit, 'the history of the repository is here, with the code of the version before')
  const older = await takeOlderCode(commit)
  // Pages are of this version, whoever gives them: the version before may not know of another's (docs/operators/upgrading.md).
  symlinkSync(fileURLToPath(new URL('../../web/dist', import.meta.url)), join(older.folder, 'web', 'dist'), 'junction')
  return older
}

/** What a browser says of whatever was under way with a process that was killed: it got no answer, or the end of none. */
export const wordsOfUnrest = ['with a status of 502 ', 'ERR_EMPTY_RESPONSE', 'ERR_INCOMPLETE_CHUNKED_ENCODING']

type Disturbed = { processes: readonly OtherProcess[]; lost: readonly string[] }

const restMs = { min: 5_000, max: 8_000 }

/**
 * In turn, and never two at once: one is asked to end, as at a restart or an upgrade, the next is killed, as by a power cut, and so on
 * with the other way for each. The next turn comes only when it is ready again.
 */
export function startUnrest({ processes, lost }: Disturbed): Unrest {
  const over = new AbortController()
  const counts = { ended: 0, killed: 0 }

  async function goOn(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      await delay(restMs.min + Math.random() * (restMs.max - restMs.min), undefined, { signal: over.signal })
      const one = processes[turn % processes.length]
      assert.ok(one)
      const round = Math.floor(turn / processes.length)
      if ((turn + round) % 2 === 0) {
        assert.equal(await one.end(), 0, 'a process that is asked to end does so by itself, and well')
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
        `  unrest: ${counts.ended} processes asked to end, ${counts.killed} killed, lost: ${lost.join(', ') || 'nothing'}\n`,
      )
      return problem
    },
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Timekeeper } from '../foundation/timekeeper.ts'
import type { PlatformLog } from './surroundings.ts'

/** Time that stands still until a test moves it. */
export type FakeTime = Timekeeper & {
  advance(ms: number): void
  /** The process sleeps: time passes, but nothing that waits for it happens. */
  sleep(ms: number): void
}

export function fakeTime(startMs: number): FakeTime {
  let now = startMs
  const waiting = new Map<object, { at: number; work: () => void }>()
  return {
    now: () => now,
    after: (ms, work) => {
      const key = {}
      waiting.set(key, { at: now + ms, work })
      return () => {
        waiting.delete(key)
      }
    },
    sleep: (ms) => {
      now += ms
    },
    advance: (ms) => {
      const until = now + ms
      for (;;) {
        const [next] = [...waiting].filter(([, one]) => one.at <= until).sort(([, one], [, other]) => one.at - other.at)
        if (next === undefined) break
        waiting.delete(next[0])
        now = Math.max(now, next[1].at)
        next[1].work()
      }
      now = until
    },
  }
}

export function recordedLog(): PlatformLog & { lines: string[] } {
  const lines: string[] = []
  const keep = (fields: Record<string, unknown>, sentence: string) => {
    lines.push(JSON.stringify({ ...fields, sentence }))
  }
  return { lines, info: keep, warn: keep, error: keep }
}

const TURNS_MAX = 100_000

/** Lets the sockets have their turns until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    if (isSo()) return
    await nextTurn()
  }
  throw new Error('It never became so')
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

import type { Mutation } from './mutation.ts'

const crediting = ['server/funding/crediting/crediting.test.ts']

/** Trading platforms: sessions, queues, and what an answer proves. */
export const platformMutations: Mutation[] = [
  {
    name: 'a post-settlement check blocks its worker while the platform hangs',
    file: 'server/trading-platforms/platform-queue.ts',
    find: 'await waitAtMost(waitMsMax, running)',
    replace: 'await running',
    tests: ['server/funding/crediting/hanging-platform.test.ts'],
    guards: 'V3',
  },
  {
    name: 'other processes keep the session of a disabled platform',
    file: 'server/start.ts',
    find: 'startEndingStale(context), ',
    replace: '',
    tests: ['server/trading-platforms/platform-connections.test.ts'],
    guards: 'V3',
  },
  {
    name: 'a platform that does not answer is asked about every account of the ledger',
    file: 'server/trading-platforms/each-platform.ts',
    find: 'if (await system.context.platforms.takeTurn(system, part)) continue',
    replace: 'await system.context.platforms.takeTurn(system, part)\n      if (own) continue',
    tests: ['server/trading-platforms/each-platform.test.ts'],
    guards: 'V3',
  },
  {
    name: 'one brokerage takes all live streams',
    file: 'server/foundation/streams/stream-watchers.ts',
    find: 'if (watchers.size >= streamsMax) makeRoom(ofWorkspace.size)',
    replace: 'if (watchers.size >= streamsMax) refuseFull()',
    tests: ['server/foundation/streams/stream-watchers.test.ts'],
    guards: 'V6',
  },
  {
    name: 'two processes query the same accounts',
    file: 'server/accounts/live-claims.ts',
    find: 'const lapsesAfterMs = 5_000',
    replace: 'const lapsesAfterMs = 0',
    tests: ['server/accounts/live-hub.test.ts'],
    guards: 'V3',
  },
  {
    name: 'a missing deal is final before the settling time is over',
    file: 'server/trading-platforms/absence.ts',
    find: 'const settledAt = sentAt.getTime() + timing.settleMs',
    replace: 'const settledAt = 0',
    tests: crediting,
    guards: 'M8',
  },
  {
    name: 'a tag has twenty random bits',
    file: 'server/trading-platforms/intent-tag.ts',
    find: 'for (const byte of randomBytes(16)) text += alphabet.charAt(byte & 31)',
    replace:
      'const few = randomBytes(4)\n  for (let at = 0; at < 16; at++) text += alphabet.charAt(((few[at & 3] ?? 0) + at) & 31)',
    tests: ['server/trading-platforms/intent-tag.test.ts'],
    guards: 'M9',
  },
]

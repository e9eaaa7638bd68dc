import fc from 'fast-check'
import type { FaultKind } from '../../simulators/metatrader/faults.ts'

/** How much may happen to one handful of orders, and how many of those there are. */
const ordersMax = 3
const happeningsMax = 25

const words = ['paid', 'declined', 'pending', 'returned'] as const
export type Word = (typeof words)[number]
const twists = ['none', 'less', 'more', 'currency', 'forged', 'merchant', 'reference', 'attempt'] as const
export type Twisting = (typeof twists)[number]
const platformFaults = [
  ...(['fail-before', 'drop-before', 'execute-then-drop', 'execute-then-500', 'execute-then-garbage'] as const),
  ...(['close-session', 'late-answer', 'answer-code'] as const),
] satisfies FaultKind[]
const providerFaults = [
  {},
  { isDown: true },
  { malformed: 'html' },
  { malformed: 'empty' },
  { dropAnswer: true },
] as const

const order = fc.nat(ordersMax - 1)
const often = <const T>(weight: number, value: T) => ({ weight, arbitrary: fc.constant(value) })

/** One thing that happens. A message may be kept back and come later, in any order, or never. */
const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('say' as const),
      order,
      word: fc.oneof(often(4, words[0]), often(2, words[1]), often(1, words[2]), often(1, words[3])),
      twist: fc.oneof(often(8, twists[0]), { weight: 5, arbitrary: fc.constantFrom(...twists) }),
      times: fc.oneof(often(3, 1), often(1, 2), often(1, 4)),
      way: fc.oneof(often(4, 'now' as const), often(2, 'held' as const), often(1, 'lost' as const)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('deliver' as const), which: fc.nat(10) }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('read' as const), workers: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('cancel' as const), order }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('approve' as const, 'reject' as const),
      order,
      people: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('wait' as const), minutes: fc.constantFrom(1, 5, 62, 1_500) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('ask' as const), order, fault: fc.constantFrom(...providerFaults) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('platform' as const),
      fault: fc.constantFrom('up' as const, 'down' as const, ...platformFaults),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('settle' as const), workers: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('die leased' as const, 'die called' as const) }) },
)
export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

export const histories = fc.record({
  amounts: fc.array(fc.constantFrom('250.00', '99.99', '10.01'), { minLength: 1, maxLength: ordersMax }),
  withManual: fc.boolean(),
  happenings: fc.array(happening, { minLength: 4, maxLength: happeningsMax, size: 'max' }),
})

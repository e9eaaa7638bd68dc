import type { OwnSession } from './use-own-sessions.ts'

export const groupsOnPage = 10

type Signed = Pick<OwnSession, 'device' | 'address' | 'current'>

/** One group for each device and address in the order of their latest sign of life, the one that is looked at first. */
export function bySource<Each extends Signed>(sessions: readonly Each[]): Each[][] {
  const isHere = (session: Each) => Number(session.current)
  const sorted = sessions.toSorted((left, right) => isHere(right) - isHere(left))
  return [...Map.groupBy(sorted, ({ device, address }) => `${device}\n${address ?? ''}`).values()]
}

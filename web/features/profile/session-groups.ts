import type { OwnSession } from './use-own-sessions.ts'

export const groupsOnPage = 10

type Signed = Pick<OwnSession, 'device' | 'address' | 'current'>

/** The current session, then one group per device and address, the most recently active first. */
export function bySource<Each extends Signed>(sessions: readonly Each[]): Each[][] {
  const here = sessions.filter(({ current }) => current)
  const others = sessions.filter(({ current }) => !current)
  const groups = Map.groupBy(others, ({ device, address }) => `${device}\n${address ?? ''}`)
  return [...here.map((session) => [session]), ...groups.values()]
}

import type { OwnSession } from './use-own-sessions.ts'

export const groupsOnPage = 10

type Signed = Pick<OwnSession, 'device' | 'address' | 'current'>

/** The session that is looked at, then one group for each device and address, the latest sign of life first. */
export function bySource<Each extends Signed>(sessions: readonly Each[]): Each[][] {
  const here = sessions.filter(({ current }) => current)
  const others = sessions.filter(({ current }) => !current)
  const groups = Map.groupBy(others, ({ device, address }) => `${device}\n${address ?? ''}`)
  return [...here.map((session) => [session]), ...groups.values()]
}

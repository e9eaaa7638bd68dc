type Signed = { device: string; address: string | null; current: boolean }

/** The current session, then one group per device and address, the most recently active first. */
export function bySource<Each extends Signed>(sessions: readonly Each[]): Each[][] {
  const here = sessions.filter(({ current }) => current)
  const others = sessions.filter(({ current }) => !current)
  const groups = Map.groupBy(others, ({ device, address }) => `${device}\n${address ?? ''}`)
  return [...here.map((session) => [session]), ...groups.values()]
}

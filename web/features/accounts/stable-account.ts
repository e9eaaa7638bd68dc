const prices = ['equity', 'margin', 'margin_free', 'margin_level', 'trade_info'] as const
const times = ['balance_as_of', 'balance_is_live'] as const
const moving: ReadonlySet<string> = new Set([...prices, ...times])

/** An account without the metrics that change every second. */
export type Stable<Shown> = Omit<Shown, (typeof prices | typeof times)[number]>

export const stableAccount = <Shown extends object>(account: Shown): Stable<Shown> =>
  Object.fromEntries(Object.entries(account).filter(([name]) => !moving.has(name))) as Stable<Shown>

const prices = ['equity', 'margin', 'margin_free', 'margin_level', 'trade_info'] as const
const times = ['balance_as_of', 'balance_is_live'] as const
const moving: ReadonlySet<string> = new Set([...prices, ...times])

/** An account without the figures that change every second. */
export type Steady<Shown> = Omit<Shown, (typeof prices | typeof times)[number]>

export const steady = <Shown extends object>(account: Shown): Steady<Shown> =>
  Object.fromEntries(Object.entries(account).filter(([name]) => !moving.has(name))) as Steady<Shown>

import { after, before } from 'node:test'
import { openPaymentFloor, type PaymentFloor, withAccountIn } from '../../tests/fixtures/payment-fixture.ts'

/** One brokerage with one provider for all groups of a file: opening it costs more than most of what is tried on it. */
export type SharedFixture<Simulator> = { floor(): PaymentFloor; simulator(): Simulator }

type Options = NonNullable<Parameters<typeof openPaymentFloor>[0]>

/** Opened before the suite that it is called in, and closed after it. */
export function shareFixture<Simulator>(
  simulatorOf: (floor: PaymentFloor) => Simulator | Promise<Simulator>,
  { currency, ...options }: Options & { currency?: string | undefined } = {},
): SharedFixture<Simulator> {
  let opened: { floor: PaymentFloor; simulator: Simulator } | null = null
  before(async () => {
    const floor = await withAccountIn(await openPaymentFloor(options), currency)
    opened = { floor, simulator: await simulatorOf(floor) }
  })
  after(() => opened?.floor.close())
  const there = () => {
    if (!opened) throw new Error('A fixture is used within its suite.')
    return opened
  }
  return { floor: () => there().floor, simulator: () => there().simulator }
}

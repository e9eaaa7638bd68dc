import { after, before } from 'node:test'
import { openPaymentFixture, type PaymentFixture, withAccountIn } from '../../tests/fixtures/payment-fixture.ts'

/** One brokerage with one provider for all groups of a file: opening it costs more than most of what is tried on it. */
export type SharedFixture<Simulator> = { setup(): PaymentFixture; simulator(): Simulator }

type Options = NonNullable<Parameters<typeof openPaymentFixture>[0]>

/** Opened before the suite that it is called in, and closed after it. */
export function shareFixture<Simulator>(
  simulatorOf: (setup: PaymentFixture) => Simulator | Promise<Simulator>,
  { currency, ...options }: Options & { currency?: string | undefined } = {},
): SharedFixture<Simulator> {
  let opened: { setup: PaymentFixture; simulator: Simulator } | null = null
  before(async () => {
    const setup = await withAccountIn(await openPaymentFixture(options), currency)
    opened = { setup, simulator: await simulatorOf(setup) }
  })
  after(() => opened?.setup.close())
  const there = () => {
    if (!opened) throw new Error('A fixture is used within its suite.')
    return opened
  }
  return { setup: () => there().setup, simulator: () => there().simulator }
}

/** Only the hash of a sign-in, with the allowed concurrency. */

import { hash } from '@node-rs/argon2'
import { passwordCost } from '../../server/sessions/passwords/password.ts'
import { forkSide, type SideProcess, takeOrders } from '../load/side-process.ts'
import { type Measurement, measureFor } from '../measure/measurement.ts'

type Order = { workers: number; seconds: number }

export const forkBareHash = (): SideProcess<Order, Measurement> => forkSide(import.meta.filename)

if (import.meta.main)
  takeOrders(({ workers, seconds }: Order) =>
    measureFor(workers, seconds, async () => void (await hash('Bench-2026', passwordCost))),
  )

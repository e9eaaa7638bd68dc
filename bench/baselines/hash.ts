/** Only the hash of a sign-in, with the allowed concurrency. */

import { hash } from '@node-rs/argon2'
import { passwordCost } from '../../server/sessions/passwords/password.ts'
import { type Figures, measureFor } from '../figures.ts'
import { forkSide, type SideProcess, takeOrders } from '../load/side-process.ts'

type Order = { lanes: number; seconds: number }

export const forkBareHash = (): SideProcess<Order, Figures> => forkSide(import.meta.filename)

if (import.meta.main)
  takeOrders(({ lanes, seconds }: Order) =>
    measureFor(lanes, seconds, async () => void (await hash('Bench-2026', passwordCost))),
  )

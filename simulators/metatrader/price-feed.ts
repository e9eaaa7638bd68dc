import type { Market } from './market.ts'

export type PriceFeed = { pause(): void; resume(): void }

const TICK_MS = 1000

/** Moves prices once a second until paused. Its timer does not keep the process alive. */
export function priceFeed(market: Market): PriceFeed {
  let timer: NodeJS.Timeout | undefined
  return {
    pause: () => {
      clearInterval(timer)
      timer = undefined
    },
    resume: () => {
      timer ??= setInterval(() => market.tick(), TICK_MS)
      timer.unref()
    },
  }
}

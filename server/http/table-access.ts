import type { Clock } from '../foundation/clock.ts'

/** As often as the access of open event streams is checked. */
const checkEveryMs = 1_000

/**
 * The parts of a table, each read when it is sent: a slow reader would otherwise go on past the end of the session, or
 * the loss of a right. `check` throws once the call would be refused, which breaks the table off.
 */
export async function* whileAllowed<Part>(
  parts: AsyncIterable<Part>,
  clock: Clock,
  check: () => Promise<unknown>,
): AsyncIterable<Part> {
  let checkedAt = clock.now().getTime()
  for await (const part of parts) {
    const now = clock.now().getTime()
    if (now - checkedAt >= checkEveryMs) {
      await check()
      checkedAt = now
    }
    yield part
  }
}

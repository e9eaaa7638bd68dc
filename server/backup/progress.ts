const reportEveryMs = 5_000

type Screen = { isTTY?: boolean; write(text: string): unknown }

/** Prints a line every few seconds on a terminal, and nothing to files and pipes. */
export function progressOn(screen: Screen, now: () => number = Date.now): (name: string) => void {
  let count = 0
  let reportedAt = now()
  return (name) => {
    count += 1
    if (!screen.isTTY || now() - reportedAt < reportEveryMs) return
    reportedAt = now()
    screen.write(`${count} objects, now ${name}\n`)
  }
}

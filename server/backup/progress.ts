const tellEveryMs = 5_000

type Screen = { isTTY?: boolean; write(text: string): unknown }

/** For a person who waits: every few seconds a line. Files and pipes are told nothing but the end. */
export function progressOn(screen: Screen, now: () => number = Date.now): (name: string) => void {
  let count = 0
  let toldAt = now()
  return (name) => {
    count += 1
    if (!screen.isTTY || now() - toldAt < tellEveryMs) return
    toldAt = now()
    screen.write(`${count} objects, now ${name}\n`)
  }
}

/** Lets so many through at once; the others wait in line. */
export function makeTurnstile(placesMax: number) {
  const waiting: (() => void)[] = []
  let inside = 0

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inside >= placesMax) await new Promise<void>((resolve) => waiting.push(resolve))
    else inside += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed on: nobody who comes now can slip in between.
      if (next) next()
      else inside -= 1
    }
  }
}

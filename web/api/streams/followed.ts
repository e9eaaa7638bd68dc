/** Paths of the streams on which what happens is told now: nobody need ask for it. What happens while one is cut off is told after. */
export const followed = new Set<string>()

/** Returns null after the time limit. The work continues, and its result is dropped. */
export function waitAtMost<Answer>(ms: number, work: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

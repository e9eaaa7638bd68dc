/** Runs `work` for each item, several at a time. After the first failure, waits for those under way and throws. */
export async function forEachParallel<Item>(
  items: AsyncIterable<Item>,
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = items[Symbol.asyncIterator]()
  let hasFailed = false
  const worker = async (): Promise<void> => {
    while (!hasFailed) {
      const next = await source.next()
      if (next.done) return
      try {
        await work(next.value)
      } catch (problem) {
        hasFailed = true
        throw problem
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: workers }, worker))
  await source.return?.()
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

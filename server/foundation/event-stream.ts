import { PassThrough, type Readable } from 'node:stream'

/** Server-sent events to one reader. */
export type EventStream = {
  /** What the door sends. Its `close` comes however the stream ends: read out, left, or cut. */
  readable: Readable
  /**
   * False when the reader has fallen so far behind that the stream was cut. `id`: what the reader names as the last that it
   * has, should it come again.
   */
  send(event: string, data: unknown, id?: number): boolean
  /** A line that says nothing: what stands in between (proxies, phones) closes what is silent. */
  keepAlive(): void
  /** One last event, then the end. */
  end(event: string, data: unknown): void
}

/** Figures grow stale while they wait: whoever leaves this much unread is better off coming anew. */
const unreadBytesMax = 256 * 1024

/** What a reader waits before coming again, should it follow the standard's own way. */
const retryMs = 3_000

export function makeEventStream(): EventStream {
  const stream = new PassThrough({ highWaterMark: 16 * 1024 })
  stream.on('error', () => undefined) // Whoever left says so by an error; `close` comes after it.
  stream.write(`retry: ${retryMs}\n\n`)
  const isOpen = () => !stream.destroyed && !stream.writableEnded
  const write = (text: string): boolean => {
    if (!isOpen()) return false
    stream.write(text)
    if (stream.writableLength + stream.readableLength <= unreadBytesMax) return true
    stream.destroy()
    return false
  }
  // JSON is one line, so it needs no splitting.
  const written = (event: string, data: unknown, id?: number) =>
    `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
  return {
    readable: stream,
    send: (event, data, id) => write(written(event, data, id)),
    keepAlive: () => {
      write(': still here\n\n')
    },
    end(event, data) {
      if (isOpen()) stream.end(written(event, data))
    },
  }
}

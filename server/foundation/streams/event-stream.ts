import { PassThrough, type Readable } from 'node:stream'

/** Server-sent events to one reader. */
export type EventStream = {
  /** The response body. It emits `close` however the stream ends. */
  readable: Readable
  /**
   * False when the reader fell so far behind that the stream was cut. `id`: sent back by the reader after a reconnect.
   */
  send(event: string, data: unknown, id?: number): boolean
  /** A comment line that prevents proxies and phones from closing an idle stream. */
  keepAlive(): void
  /** Sends one last event and ends the stream. */
  end(event: string, data: unknown): void
}

/** A reader this far behind is cut, because account metrics go stale while they wait. */
const unreadBytesMax = 256 * 1024

/** Delay before a browser reconnects by itself. */
const retryMs = 3_000

export function makeEventStream(): EventStream {
  const stream = new PassThrough({ highWaterMark: 16 * 1024 })
  stream.on('error', () => undefined) // A disconnected reader causes an error, followed by `close`.
  stream.write(`retry: ${retryMs}\n\n`)
  const isOpen = () => !stream.destroyed && !stream.writableEnded
  const write = (text: string): boolean => {
    if (!isOpen()) return false
    stream.write(text)
    if (stream.writableLength + stream.readableLength <= unreadBytesMax) return true
    stream.destroy()
    return false
  }
  // JSON has no line breaks, so one `data:` line is enough.
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

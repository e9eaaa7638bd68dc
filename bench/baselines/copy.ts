/** Writes each request body to a file and does nothing else. With `COPY=durable` it also digests and flushes it, as a stored upload needs. */

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const { PORT, ATRIUM_DATA = '', COPY } = process.env
const isDurable = COPY === 'durable'
let number = 0
createServer(async (request, response) => {
  number += 1
  const hash = createHash('sha256')
  if (isDurable) request.on('data', (chunk) => hash.update(chunk))
  await pipeline(request, createWriteStream(join(ATRIUM_DATA, `copy-${process.pid}-${number}`), { flush: isDurable }))
  response.end(JSON.stringify({ digest: hash.digest('hex') }))
}).listen(Number(PORT), '127.0.0.1')

/** Writes each request body to a file and does nothing else: the lower bound for an upload. */

import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const { PORT, ATRIUM_DATA = '' } = process.env
let number = 0
createServer(async (request, response) => {
  number += 1
  await pipeline(request, createWriteStream(join(ATRIUM_DATA, `copy-${number}`)))
  response.end('{}')
}).listen(Number(PORT), '127.0.0.1')

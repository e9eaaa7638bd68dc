import { request } from 'node:http'
import { Readable } from 'node:stream'

/** Sends papers made while they are sent; bench/uploads.ts starts it as a process of its own, so that its memory is not counted. */
type Load = { url: string; tokens: string[]; lanes: number; uploads: number; sizeBytes: number }

const { url, tokens, lanes, uploads, sizeBytes }: Load = JSON.parse(process.env.LOAD ?? '{}')
const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="paper.pdf"\r\n\r\n%PDF-1.7\n')
const tail = Buffer.from('\n%%EOF\n')
const end = Buffer.from('\r\n--x--\r\n')
const filler = Buffer.alloc(65_536, '% a line of a paper\n')

let left = uploads
await Promise.all(
  Array.from({ length: lanes }, async () => {
    while (left > 0) {
      left -= 1
      await sendOne(tokens[left % tokens.length] ?? '')
    }
  }),
)

function* body(): Iterable<Buffer> {
  yield head
  for (let room = sizeBytes - '%PDF-1.7\n'.length - tail.length; room > 0; room -= filler.length)
    yield filler.subarray(0, Math.min(room, filler.length))
  yield tail
  yield end
}

function sendOne(token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/media/cp-upload-file?purpose=document`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`Answered ${response.statusCode}`)),
      )
    })
    Readable.from(body()).pipe(sent)
  })
}

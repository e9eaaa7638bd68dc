/** Uploads generated KYC documents from its own process, so that its memory and time are not counted as the server's. */

import { request } from 'node:http'
import { Readable } from 'node:stream'
import { type Measurement, measure } from '../measurement.ts'
import { forkSide, type SideProcess, takeOrders } from './side-process.ts'

export type Load = {
  url: string
  tokens: readonly string[]
  connections: number
  uploads: number
  sizeBytes: number
  partBytes?: number
}

export const forkSender = (): SideProcess<Load, Measurement> => forkSide(import.meta.filename)

const head = Buffer.from(
  '--x\r\ncontent-disposition: form-data; name="file"; filename="document.pdf"\r\n\r\n%PDF-1.7\n',
)
const tail = Buffer.from('\n%%EOF\n')
const end = Buffer.from('\r\n--x--\r\n')
const filler = Buffer.alloc(65_536, '% a line of a document\n')

/** Members have a quota of unassigned KYC documents, so each upload uses the next member, across rounds too. */
let turn = 0

function sendAll({ tokens, connections, uploads, ...upload }: Load): Promise<Measurement> {
  return measure(connections, uploads, async () => {
    turn += 1
    const token = tokens[turn % tokens.length] ?? ''
    await (upload.partBytes ? sendInParts(token, upload, upload.partBytes) : sendWhole(token, upload))
  })
}

type Upload = Pick<Load, 'url' | 'sizeBytes'>

function* bodyOf(sizeBytes: number): Iterable<Buffer> {
  yield head
  yield* linesOf(sizeBytes)
  yield tail
  yield end
}

function* linesOf(sizeBytes: number): Iterable<Buffer> {
  for (let room = sizeBytes - '%PDF-1.7\n'.length - tail.length; room > 0; room -= filler.length)
    yield filler.subarray(0, Math.min(room, filler.length))
}

/** Sends in parts, as the portal does above a megabyte. */
async function sendInParts(token: string, { url, sizeBytes }: Upload, bytes: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const metadata = `filename ${Buffer.from('document.pdf').toString('base64')}`
  const started = await fetch(`${url}/media/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(sizeBytes), 'upload-metadata': metadata },
  })
  const location = started.headers.get('location') ?? ''
  const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), ...linesOf(sizeBytes), tail])
  for (let from = 0; from < sizeBytes; from += bytes) {
    const part = await fetch(`${url}${location}`, {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
      body: content.subarray(from, from + bytes),
    })
    if (part.status !== 204) throw new Error(`Answered ${part.status}`)
  }
  const finished = await fetch(`${url}/media/finish-upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ upload: location.split('/').at(-1) }),
  })
  if (finished.status !== 200) throw new Error(`Answered ${finished.status}`)
}

function sendWhole(token: string, { url, sizeBytes }: Upload): Promise<void> {
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
    Readable.from(bodyOf(sizeBytes)).pipe(sent)
  })
}

if (import.meta.main) takeOrders(sendAll)

/** Uploads generated KYC documents from its own process, so that its memory and time are not counted as the server's. */

import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { firstPartBytes, makePartSizer } from '@atrium/contract/files/part-size.ts'
import { type Measurement, measure } from '../measure/measurement.ts'
import { forkSide, type SideProcess, takeOrders } from './side-process.ts'

export type Load = {
  url: string
  tokens: readonly string[]
  connections: number
  uploads: number
  sizeBytes: number
  inParts?: boolean
}

export const forkSender = (): SideProcess<Load, Measurement> => forkSide(import.meta.filename)

const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="document.pdf"\r\n\r\n')
const end = Buffer.from('\r\n--x--\r\n')
const firstLine = Buffer.from('%PDF-1.7\n')
const lastLine = Buffer.from('\n%%EOF\n')
const filler = Buffer.alloc(65_536, '% a line of a document\n')

/** Members have a quota of unassigned KYC documents, so each upload uses the next member, across rounds too. */
let turn = 0

function sendAll({ tokens, connections, uploads, ...upload }: Load): Promise<Measurement> {
  return measure(connections, uploads, async () => {
    turn += 1
    const token = tokens[turn % tokens.length] ?? ''
    await (upload.inParts ? sendInParts(token, upload) : sendWhole(token, upload))
  })
}

type Upload = Pick<Load, 'url' | 'sizeBytes'>
type Body = { pieces: Iterable<Buffer>; sizeBytes: number }
const bodyOf = (bytes: Buffer): Body => ({ pieces: [bytes], sizeBytes: bytes.length })

/** A document of this size, or a part of it. All documents share their buffers: filling new ones would count as the server's time. */
function* documentOf(sizeBytes: number, from = 0, to = sizeBytes): Iterable<Buffer> {
  let at = 0
  for (const piece of piecesOf(sizeBytes)) {
    const start = Math.max(0, from - at)
    if (start < piece.length && at < to) yield piece.subarray(start, to - at)
    at += piece.length
  }
}

function* piecesOf(sizeBytes: number): Iterable<Buffer> {
  yield firstLine
  for (let room = sizeBytes - firstLine.length - lastLine.length; room > 0; room -= filler.length)
    yield filler.subarray(0, Math.min(room, filler.length))
  yield lastLine
}

function* formOf(sizeBytes: number): Iterable<Buffer> {
  yield head
  yield* documentOf(sizeBytes)
  yield end
}

/** Sends in parts, as the portal does above a megabyte. */
async function sendInParts(token: string, { url, sizeBytes }: Upload): Promise<void> {
  const protocol = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const metadata = `filename ${Buffer.from('document.pdf').toString('base64')}`
  const started = await send(`${url}/media/uploads`, {
    method: 'POST',
    headers: { ...protocol, 'upload-length': String(sizeBytes), 'upload-metadata': metadata },
    status: 201,
  })
  const location = started.headers.location ?? ''
  const sizer = makePartSizer(() => performance.now())
  let partBytes = firstPartBytes
  for (let [from, to] = [0, 0]; from < sizeBytes; from = to) {
    to = Math.min(from + partBytes, sizeBytes)
    sizer.partSent()
    const offset = { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' }
    await send(`${url}${location}`, {
      method: 'PATCH',
      headers: { ...protocol, ...offset },
      body: { pieces: documentOf(sizeBytes, from, to), sizeBytes: to - from },
      status: 204,
    })
    partBytes = sizer.partArrived(to - from)
  }
  await send(`${url}/media/finish-upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: bodyOf(Buffer.from(JSON.stringify({ upload: location.split('/').at(-1) }))),
    status: 200,
  })
}

async function sendWhole(token: string, { url, sizeBytes }: Upload): Promise<void> {
  await send(`${url}/media/cp-upload-file?purpose=document`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: { pieces: formOf(sizeBytes), sizeBytes: head.length + sizeBytes + end.length },
    status: 200,
  })
}

const noBody: Body = { pieces: [], sizeBytes: 0 }

type Sent = { method: string; headers: Record<string, string>; body?: Body; status: number }

/** States the length, as a browser does; the body would otherwise be sent in chunks, each with its own length. */
function send(url: string, { method, headers, body = noBody, status }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, 'content-length': String(body.sizeBytes) } })
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === status ? resolve(response) : reject(new Error(`Answered ${response.statusCode}`)),
      )
    })
    Readable.from(body.pieces).pipe(sent)
  })
}

if (import.meta.main) takeOrders(sendAll)

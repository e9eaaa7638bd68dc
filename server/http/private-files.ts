import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findDownloadFile } from '../downloads/queries.ts'
import { askedRange } from '../files/byte-range.ts'
import { attachmentHeader } from '../files/file-name.ts'
import type { MediaRow } from '../files/media.ts'
import { findVisibleMedia } from '../files/queries.ts'
import { refusalTexts, sendRefusalPage } from '../files/refusal-page.ts'
import { problemOfScan } from '../files/scanning.ts'
import { findStaffPicture } from '../files/staff-pictures.ts'
import { type Actor, authorize, type System, termsBlocking } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { assertState, Refusal, refuse, refuseNotFound } from '../foundation/errors.ts'
import { fileCookies, readFileCookies } from '../sessions/cookies.ts'
import { findMember, findStaff } from '../sessions/session-proof.ts'
import { isApiHost } from '../workspaces/address.ts'
import { proveMember, proveStaff, proveWorkspace } from './authenticate.ts'

/** KYC documents of members and programs for them, whole or a range, for everybody who may see them. */
export function openPrivateFiles(app: FastifyInstance, context: Context): void {
  app.get('/cp/private/files/:id/:name', { config: { isForFiles: true } }, async (request, reply) => {
    const { id } = request.params as { id: string }
    const readers = await findReaders(await proveWorkspace(context, request), request)
    if (readers.length === 0) return refuseNobody(request, reply)
    const found = await findForAny(openTo(readers), id)
    if (!found) return refuseUnknown(request, reply)
    const problem = problemOfScan(context, found.scan)
    const isScanning = found.scan === 'waiting' && context.scanner !== null
    if (problem && isOfPerson(request)) return sendRefusalPage(reply, problem, { isPassing: isScanning })
    if (problem) refuse('conflict', problem)
    const { small } = request.query as { small?: string }
    return small === '1'
      ? sendSmall(context, { row: found, request, reply })
      : sendFile(context, { row: found, request, reply })
  })
}

/** A browser that opened the link in a tab gets a page instead of JSON. */
function isOfPerson({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

function refuseNobody(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isOfPerson(request)) refuse('unauthenticated', 'Please sign in.')
  return sendRefusalPage(reply, refusalTexts.signedOut, { status: 401 })
}

/** The same for a file of somebody else and for none. */
function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isOfPerson(request)) refuseNotFound()
  return sendRefusalPage(reply, refusalTexts.unknown, { status: 404 })
}

/** The proven actors whom terms do not block. */
function openTo(readers: Actor[]): Actor[] {
  // Terms that block everything also block KYC documents; a user also signed in at the desk still reads as staff.
  const open = readers.filter((reader) => reader.kind !== 'member' || termsBlocking(reader, ['all']).length === 0)
  const [first] = readers
  if (open.length === 0 && first) authorize(first, 'all')
  return open
}

/** A thumbnail of a few kilobytes, whose length is not stored: sent whole. */
async function sendSmall(context: Context, { row, request, reply }: Sending): Promise<FastifyReply> {
  const key = 'small_key' in row ? row.small_key : null
  if (!key) refuseNotFound()
  const etag = `"${row.sha256.toString('hex')}-small"`
  const small = { ...row, content_type: 'image/jpeg' }
  if (isKnown(request.headers['if-none-match'], etag))
    return setHeaders(context, { row: small, request, reply }, etag).removeHeader('content-length').code(304).send()
  const content = await context.files.read(key)
  assertState(content, 'a file row without its thumbnail')
  return setHeaders(context, { row: small, request, reply }, etag)
    .removeHeader('content-length')
    .removeHeader('accept-ranges')
    .send(content)
}

type Sending = { row: Served; request: FastifyRequest; reply: FastifyReply }

async function sendFile(context: Context, { row, request, reply }: Sending): Promise<FastifyReply> {
  const etag = `"${row.sha256.toString('hex')}"`
  const { headers } = request
  if (isKnown(headers['if-none-match'], etag))
    return setHeaders(context, { row, request, reply }, etag).code(304).send()
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = isSame ? askedRange(headers.range, Number(row.size_bytes)) : null
  if (range === 'outside') return refuseRange(row, request, reply)
  // An empty stream, since the framework then leaves the content length as it is set.
  if (request.method === 'HEAD') return setHeaders(context, { row, request, reply }, etag).send(Readable.from([]))
  // Opened before the file's headers are set, since an error must not be sent as an attachment.
  const content = await context.files.read(row.storage_key, range ?? undefined)
  assertState(content, 'a file row without its file')
  setHeaders(context, { row, request, reply }, etag)
  if (!range) return reply.send(content)
  return reply
    .code(206)
    .header('content-range', `bytes ${range.from}-${range.to}/${row.size_bytes}`)
    .header('content-length', String(range.to - range.from + 1))
    .send(content)
}

/**
 * Forbids copies (`no-store`), since KYC documents would stay on shared computers. The etag lets a client continue an interrupted
 * download.
 */
function setHeaders(context: Context, { row, request, reply }: Sending, etag: string): FastifyReply {
  return reply
    .header('content-type', row.content_type)
    .header('content-length', String(row.size_bytes))
    .header('content-disposition', attachmentHeader(row.name))
    .header('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'")
    .header(
      'cross-origin-resource-policy',
      isApiHost(context.config, request.headers.host) ? 'same-site' : 'same-origin',
    )
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
}

function isKnown(said: string | undefined, etag: string): boolean {
  const known = (said ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

function refuseRange(row: Served, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = new Refusal('malformed', 'This part of the file does not exist.')
  return reply.code(416).header('content-range', `bytes */${row.size_bytes}`).send(refusal.answer(request.id))
}

/**
 * All actors proven by the request: a browser may hold the cookies of several members and of a desk user, each in a tab. A refused
 * one, such as a member without a required second factor, does not stop the others. A cookie proves nobody beside the bearer token
 * of the same kind: another member may have signed in in another tab.
 */
async function findReaders(system: System, request: FastifyRequest): Promise<Actor[]> {
  const byCookie = {
    member: () =>
      readFileCookies(request, fileCookies.member).map((token) => findMember(system, { token, of: 'files' })),
    staff: () => readFileCookies(request, fileCookies.staff).map((token) => findStaff(system, { token, of: 'files' })),
  }
  const found = await Promise.all([
    proofsOf(proveMember(system, request), byCookie.member),
    proofsOf(proveStaff(system, request), byCookie.staff),
  ])
  const proofs = found.flat()
  const readers = proofs.flatMap((proof) => (proof.status === 'fulfilled' && proof.value ? [proof.value] : []))
  const errors = proofs.flatMap((proof) => (proof.status === 'rejected' ? [proof.reason] : []))
  const fatal = errors.find((error) => readers.length === 0 || !(error instanceof Refusal))
  if (fatal) throw fatal
  return readers
}

type Proof = PromiseSettledResult<Actor | null>

/** The person of the bearer token, or else those of the cookies. */
async function proofsOf(bearer: Promise<Actor | null>, byCookie: () => Promise<Actor | null>[]): Promise<Proof[]> {
  const [proof] = await Promise.allSettled([bearer])
  return proof.status === 'rejected' || proof.value ? [proof] : Promise.allSettled(byCookie())
}

type Served = Pick<MediaRow, 'name' | 'content_type' | 'size_bytes' | 'storage_key' | 'sha256'> & Partial<MediaRow>

/** A member's own file of a part of the portal that is open to them, a program that the brokerage offers, or a picture of its staff. */
async function findForAny(readers: Actor[], id: string): Promise<Served | null> {
  if (!z.uuid().safeParse(id).success) return null
  for (const reader of readers) {
    const fileId = id.toLowerCase()
    const row = (await findVisibleMedia(reader, fileId)) ?? (await findDownloadFile(reader, fileId))
    const found = row ?? (await findStaffPicture(reader, fileId))
    if (found) return found
  }
  return null
}

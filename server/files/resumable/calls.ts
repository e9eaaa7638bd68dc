import { Readable } from 'node:stream'
import { uploadFile } from '@atrium/contract/files/calls.ts'
import { type Locker, Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Member } from '../../foundation/actor.ts'
import type { Context } from '../../foundation/context.ts'
import { Refusal, refuse, refuseNotFound, Unavailable } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import { type Exchange, proveFor } from '../../http/route.ts'
import type { PartFiles } from './part-files.ts'
import { MemberUploads } from './uploads.ts'

const path = '/media/uploads'

/** Access to uploads, whole or in parts. */
export const uploadFacts = { scopes: ['all'] } as const

/** No locks: uploads.ts resolves concurrent parts when it counts them, across processes. */
const noLocks: Locker = { newLock: () => ({ lock: async () => undefined, unlock: async () => undefined }) }

type Within = <Result>(member: Member, work: () => Promise<Result>) => Promise<Result>

/**
 * Resumable uploads by the tus protocol (1.0): create, continue, query and delete here; `POST /media/finish-upload` makes the file.
 * Same access as a plain upload; refusals have our own error bodies.
 */
export function openResumableUploads(
  app: FastifyInstance,
  context: Context,
  { within, partFiles }: { within: Within; partFiles: PartFiles },
): void {
  app.addContentTypeParser('application/offset+octet-stream', (_request, payload, done) => done(null, payload))
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const member = await proveFor(context, uploadFile, uploadFacts, { request, reply })
    const { id } = request.params as { id?: string }
    if (id !== undefined && !z.uuid().safeParse(id).success) refuseNotFound()
    return within(member, () => answer(member, partFiles, { request, reply }))
  }
  app.route({ method: 'POST', url: path, handler })
  app.route({ method: ['HEAD', 'PATCH', 'DELETE'], url: `${path}/:id`, handler })
}

async function answer(member: Member, partFiles: PartFiles, { request, reply }: Exchange): Promise<FastifyReply> {
  const body = request.method === 'PATCH' && request.body instanceof Readable ? request.body : null
  let thrown: unknown = null
  const server = new Server({
    path,
    datastore: new MemberUploads(member, { partFiles, body, offset: Number(request.headers['upload-offset']) }),
    locker: noLocks,
    relativeLocation: true,
    namingFunction: () => newId(),
    onResponseError: async (_request, problem) => {
      thrown = problem
      return undefined
    },
  })
  const response = await server.handleWeb(webRequest(request))
  if (thrown instanceof Refusal || thrown instanceof Unavailable) throw thrown
  // 501 is the answer to the headers of an extension that is not offered.
  if (response.status >= 500 && response.status !== 501) throw thrown
  for (const name of ['tus-resumable', 'location', 'upload-offset', 'upload-length', 'upload-expires']) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  if (response.status >= 400) refuseAs(response.status)
  return reply.code(response.status).header('cache-control', 'no-store').send()
}

/** Without the body, which the store reads. */
function webRequest({ raw, method }: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers)) if (typeof value === 'string') headers.set(name, value)
  return new Request(new URL(raw.url ?? '/', 'http://localhost'), { method, headers })
}

function refuseAs(status: number): never {
  if (status === 404 || status === 410) refuseNotFound()
  if (status === 409) refuse('conflict', 'This part of the upload is not the next one.')
  if (status === 413) refuse('too_large', 'This is larger than allowed.')
  if (status === 415) refuse('unsupported_type', 'This kind of content is not accepted.')
  refuse('malformed', 'The upload could not be read.')
}

import { relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { isAssetName, typeOf } from './asset-names.ts'
import { type OtherBuilds, openOtherBuilds } from './other-builds.ts'
import { type OwnBuild, readOwnBuild } from './own-build.ts'

const prefix = '/assets'
const unpack = promisify(brotliDecompress)
const unpackedBytesMax = 16_000_000

/**
 * Serves hashed assets as immutable: this build's from its folder, other recent builds' from the storage. During a
 * rollout a load balancer may send a page's requests to a process of another version.
 */
export async function serveAssets(app: FastifyInstance, context: Context): Promise<void> {
  const own = readOwnBuild(context.config.webDirectory)
  if (!own) return
  const others = openOtherBuilds(context)
  await app.register(
    async (assets) => {
      // Missing in the folder: from another build, or this build's folder was replaced meanwhile.
      assets.setNotFoundHandler((request, reply) => sendOther(others, request, reply))
      const immutable = { maxAge: '365d', immutable: true, preCompressed: true, decorateReply: false }
      await assets.register(fastifyStatic, { root: own.folder, prefix: '/', ...immutable, setHeaders: openFrom(own) })
    },
    { prefix },
  )
}

const openFrom =
  ({ folder, isOpen }: OwnBuild) =>
  (reply: FastifyReply, path: string): void => {
    const name = relative(folder, path)
      .replaceAll(sep, '/')
      .replace(/\.(br|gz)$/, '')
    if (isOpen(name)) reply.header('access-control-allow-origin', '*')
  }

async function sendOther(others: OtherBuilds, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const name = request.url.split('?')[0]?.slice(prefix.length + 1) ?? ''
  const isAsked = ['GET', 'HEAD'].includes(request.method)
  const asset = isAsked && isAssetName(name) ? await others.read(name) : null
  if (!asset) refuseNotFound()
  const staysPacked = asset.isPacked && takesPacked(request)
  const content =
    asset.isPacked && !staysPacked ? await unpack(asset.content, { maxOutputLength: unpackedBytesMax }) : asset.content
  reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding')
  if (asset.isOpen) reply.header('access-control-allow-origin', '*')
  if (staysPacked) reply.header('content-encoding', 'br')
  return reply.type(typeOf(name)).send(content)
}

/** In the form that browsers send; a client that ranks encodings gets the uncompressed file. */
const takesPacked = ({ headers }: FastifyRequest): boolean =>
  /(^|,)\s*br\s*(,|$)/.test(String(headers['accept-encoding'] ?? ''))

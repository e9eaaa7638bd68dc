import * as contract from '@atrium/contract/platforms/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import { setDownloads } from '../downloads/downloads.ts'
import { keepDownloadFile } from '../downloads/upload.ts'
import { spoolFolder, spoolUpload } from '../files/spool.ts'
import type { Ground } from '../foundation/ground.ts'
import { makeTurnstile } from '../foundation/turnstile.ts'
import { open } from '../http/route.ts'
import { connectPlatform } from './connection.ts'
import { addPlatform, changePlatform } from './platform.ts'
import { listPlatformGroups, tryPlatform } from './probe.ts'
import { listPlatforms, readPlatform } from './queries.ts'

/** Programs are large: one at a time in this process bounds the disk that they wait on. */
const uploadsAtOnce = 1

export function openDeskPlatformCalls(app: FastifyInstance, ground: Ground): void {
  const turnstile = makeTurnstile(uploadsAtOnce)
  open(app, ground, contract.listPlatforms, async (staff) => ({ platforms: await listPlatforms(staff) }))
  open(app, ground, contract.readPlatform, async (staff, { id }) => ({ platform: await readPlatform(staff, id) }))
  open(app, ground, contract.addPlatform, {
    audit: ['platform.added'],
    idempotent: true,
    handler: async (staff, input) => ({
      platform: await readPlatform(staff, await addPlatform(staff, input)),
    }),
  })
  open(app, ground, contract.changePlatform, {
    audit: ['platform.changed'],
    idempotent: true,
    handler: async (staff, input) => {
      await changePlatform(staff, input)
      return { platform: await readPlatform(staff, input.id) }
    },
  })
  open(app, ground, contract.connectPlatform, {
    audit: ['platform.connection-changed'],
    idempotent: true,
    handler: async (staff, input) => {
      await connectPlatform(staff, input)
      return { platform: await readPlatform(staff, input.id) }
    },
  })
  open(app, ground, contract.setDownloads, {
    audit: ['platform.downloads-changed'],
    idempotent: true,
    handler: async (staff, input) => {
      await setDownloads(staff, input)
      return { platform: await readPlatform(staff, input.id) }
    },
  })
  open(app, ground, contract.tryPlatform, {
    audit: ['platform.tried'],
    repeats: 'each try asks the platform again',
    handler: (staff, { id }) => tryPlatform(staff, id),
  })
  open(app, ground, contract.listPlatformGroups, async (staff, { id }) => ({
    groups: await listPlatformGroups(staff, id),
  }))
  open(app, ground, contract.uploadPlatformFile, {
    audit: ['download.file-uploaded'],
    repeats: 'each upload is a file of its own, and one that no download names is swept',
    body: 'multipart',
    handler: (staff, _input, exchange) =>
      turnstile(async () => {
        const spooled = await spoolUpload(exchange, spoolFolder(ground.config.dataDirectory), 'download')
        return { file: await keepDownloadFile(staff, spooled).finally(spooled.remove) }
      }),
  })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { Bucket } from '../../server/config.ts'

/** A local S3 storage that can be stopped, and restarted with its content. */
export async function startStorage() {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-bucket-'))
  const name = 'atrium-files'
  const listen = async (port: number) => {
    const server = new S3rver({
      address: '127.0.0.1',
      port,
      directory,
      silent: true,
      // It appends a slash to a bucket's address before it verifies the signature over it.
      allowMismatchedSignatures: true,
      configureBuckets: [{ name }],
    })
    return { server, port: (await server.run()).port }
  }
  let { server, port } = await listen(0)
  const stop = async () => {
    server.httpServer.closeAllConnections()
    await server.close()
  }
  const bucket: Bucket = {
    name,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  return {
    bucket,
    stop,
    async start() {
      const again = await listen(port)
      server = again.server
    },
    async close() {
      if (server.httpServer.listening) await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

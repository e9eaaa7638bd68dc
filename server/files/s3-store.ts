import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Bucket } from '../config.ts'
import { Unavailable } from '../foundation/errors.ts'
import { checkedKey, type FileStore, type StoredContent } from './store.ts'

const triesMax = 3
const timeouts = { connectionTimeout: 3_000, requestTimeout: 30_000, socketTimeout: 30_000 }

/** What goes wrong is thrown; said by the library as well, it would stand outside of our log. */
const say = () => undefined
const quiet = { trace: say, debug: say, info: say, warn: say, error: say }

/** Files in a bucket. One request writes one file, so a reader sees all of it or nothing, and nothing half done stays behind. */
export function openBucketStore(bucket: Bucket, { pageKeysMax = 1_000 } = {}): FileStore & { check(): Promise<void> } {
  const { name: Bucket, endpoint, region, accessKeyId, secretAccessKey } = bucket
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: triesMax,
    requestHandler: timeouts,
    logger: quiet,
    // Newer check sums come as trailers of the body, which much that speaks S3 does not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

  return {
    write: (key, content) => reachable(() => writeObject(client, { Bucket, Key: checkedKey(key) }, content)),
    read: (key, range) =>
      reachable(async () => {
        const Range = range && `bytes=${range.from}-${range.to}`
        const found = await client
          .send(new GetObjectCommand({ Bucket, Key: checkedKey(key), ...(Range && { Range }) }))
          .catch(nullIfAbsent)
        return found?.Body instanceof Readable ? found.Body : null
      }),
    remove: (key) =>
      reachable(async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: checkedKey(key) })).catch(nullIfAbsent)
      }),
    async *list(prefix) {
      // The older of the two ways to list: it goes on by key, and everything that speaks S3 knows it.
      for (let Marker = `${checkedKey(prefix)}/`; ; ) {
        const asked = { Bucket, Prefix: `${prefix}/`, Marker, MaxKeys: pageKeysMax }
        const page = await reachable(() => client.send(new ListObjectsCommand(asked)))
        const found = page.Contents ?? []
        for (const { Key, LastModified } of found) if (Key && LastModified) yield { key: Key, storedAt: LastModified }
        const last = found.at(-1)?.Key
        if (!page.IsTruncated || !last || last <= Marker) return
        Marker = last
      }
    },
    check: () =>
      reachable(async () => {
        await client.send(new HeadBucketCommand({ Bucket }))
      }),
    close: async () => client.destroy(),
  }
}

type Place = { Bucket: string; Key: string }

/** A stream is gone after one try, so a file is opened anew for each; bytes are tried again by the library. */
async function writeObject(client: S3Client, place: Place, content: StoredContent): Promise<void> {
  if (Buffer.isBuffer(content)) {
    await client.send(new PutObjectCommand({ ...place, Body: content }))
    return
  }
  const { size } = await stat(content.path)
  for (let attempt = 1; ; attempt += 1) {
    const body = createReadStream(content.path)
    try {
      await client.send(new PutObjectCommand({ ...place, Body: body, ContentLength: size }))
      return
    } catch (problem) {
      if (attempt >= triesMax) throw problem
    } finally {
      body.destroy()
    }
  }
}

async function reachable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (problem) {
    if (problem instanceof Error && '$metadata' in problem) throw new Unavailable('The bucket refuses', problem)
    if (problem instanceof Error && isOfTheLine(problem)) throw new Unavailable('The bucket does not answer', problem)
    throw problem
  }
}

const lineProblems = /^(ECONN|ETIMEDOUT|EPIPE|EAI_|ENOTFOUND|EHOST|ENETUNREACH)/

function isOfTheLine(problem: Error): boolean {
  const code = 'code' in problem ? String(problem.code) : ''
  return lineProblems.test(code) || problem.name === 'TimeoutError'
}

function nullIfAbsent(problem: unknown): null {
  if (problem instanceof Error && (problem.name === 'NoSuchKey' || problem.name === 'NotFound')) return null
  throw problem
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Bucket } from '../config.ts'
import { openCircuit, type Pauses } from '../foundation/circuit.ts'
import { Unavailable } from '../foundation/errors.ts'
import { realTime } from '../foundation/timekeeper.ts'
import type { ProgramLog } from '../observability/log.ts'
import { checkedKey, type FileStore, type StoredContent } from './store.ts'

const triesMax = 3
/** For so long nothing is said on the line; what is being sent or answered may take as long as it does. */
const usualSilentMs = 10_000
const usualPauses = { firstMs: 1_000, maxMs: 15_000 }

/** What goes wrong is thrown; said by the library as well, it would stand outside of our log. */
const say = () => undefined
const quiet = { trace: say, debug: say, info: say, warn: say, error: say }

type Options = { pageKeysMax?: number; silentMs?: number; pauses?: Pauses; log?: ProgramLog }

/**
 * Files in a bucket. One request writes one file, so a reader sees all of it or nothing, and nothing half done stays behind. A
 * bucket that says nothing any more is left in peace: after a few who waited, everybody is told at once until it answers again.
 */
export function openBucketStore(
  bucket: Bucket,
  { pageKeysMax = 1_000, silentMs = usualSilentMs, pauses = usualPauses, log }: Options = {},
): FileStore & Required<Pick<FileStore, 'prepare'>> {
  const { name: Bucket, endpoint, region, accessKeyId, secretAccessKey } = bucket
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: triesMax,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: silentMs, socketTimeout: silentMs },
    logger: quiet,
    // Newer check sums come as trailers of the body, which much that speaks S3 does not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const check = () => client.send(new HeadBucketCommand({ Bucket }))
  /** The answer to a HEAD has no body, so that the reason of a refusal is asked for by a call that says it. */
  const prepare = async (): Promise<'there' | 'made'> => {
    try {
      await check()
      return 'there'
    } catch (problem) {
      if (!isAnswered(problem)) throw problem
    }
    try {
      await client.send(new ListObjectsCommand({ Bucket, MaxKeys: 1 }))
      return 'there'
    } catch (problem) {
      if (!isNamed(problem, 'NoSuchBucket')) throw problem
    }
    // Amazon's first region is the one that must not be named.
    const place =
      region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint: region as 'eu-west-1' } }
    try {
      await client.send(new CreateBucketCommand({ Bucket, ...place }))
      return 'made'
    } catch (problem) {
      // Another process that starts made it in this moment; some stores then say no more than that somebody has it.
      if (isNamed(problem, 'BucketAlreadyOwnedByYou')) return 'there'
      if (isNamed(problem, 'BucketAlreadyExists') && (await isReachable())) return 'there'
      const reason = reasonOf(problem)
      throw isAnswered(problem)
        ? new Unavailable(`There is no bucket, and these keys may not make it (${reason})`, problem)
        : problem
    }
  }
  const isReachable = () =>
    check().then(
      () => true,
      () => false,
    )
  const circuit = openCircuit(
    {
      pauses,
      probe: () => check().then(() => true, isAnswered),
      whenOpened: (failuresInARow) =>
        log?.error({ event: 'bucket.circuit-opened', failuresInARow, alert: true }, 'The bucket does not answer'),
      whenClosed: (probes) => log?.info({ event: 'bucket.circuit-closed', probes }, 'The bucket answers again'),
    },
    realTime,
  )

  async function reachable<Result>(work: () => Promise<Result>): Promise<Result> {
    if (circuit.isOpen()) throw new Unavailable('The bucket does not answer, and is left in peace')
    try {
      const result = await work()
      circuit.succeeded()
      return result
    } catch (problem) {
      // Whoever is refused at once waits for nobody: only silence counts.
      if (isSilence(problem)) circuit.failed()
      else if (isAnswered(problem)) circuit.succeeded()
      throw asUnreachable(problem)
    }
  }

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
    prepare: () => reachable(prepare),
    close: async () => {
      circuit.stop()
      client.destroy()
    },
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
      if (attempt >= triesMax || isSilence(problem)) throw problem
    } finally {
      body.destroy()
    }
  }
}

function asUnreachable(problem: unknown): unknown {
  if (!(problem instanceof Error)) return problem
  if (isSilence(problem) || isOfTheLine(problem)) return new Unavailable('The bucket does not answer', problem)
  return '$metadata' in problem ? new Unavailable(`The bucket refuses (${reasonOf(problem)})`, problem) : problem
}

/** In the store's own word, such as `AccessDenied` or `SignatureDoesNotMatch`; nothing personal and no key is in it. */
function reasonOf(problem: unknown): string {
  const { name, $metadata } = problem as S3ServiceException
  return /^[A-Za-z0-9]{1,60}$/.test(name ?? '') ? name : String($metadata?.httpStatusCode ?? 'no reason')
}

const isNamed = (problem: unknown, name: string): boolean => problem instanceof Error && problem.name === name

/** With a no of its own, which has a status. */
function isAnswered(problem: unknown): boolean {
  if (!(problem instanceof S3ServiceException)) return false
  return (problem.$metadata.httpStatusCode ?? 0) > 0
}

/** The library gives a line that was cut the same name as one on which nothing is said. */
function isSilence(problem: unknown): boolean {
  return problem instanceof Error && problem.name === 'TimeoutError' && !cutOff.test(codeOf(problem))
}

const cutOff = /^(ECONNRESET|EPIPE)$/
const codeOf = (problem: Error): string => ('code' in problem ? String(problem.code) : '')

const lineProblems = /^(ECONN|ETIMEDOUT|EPIPE|EAI_|ENOTFOUND|EHOST|ENETUNREACH)/

function isOfTheLine(problem: Error): boolean {
  return lineProblems.test(codeOf(problem))
}

function nullIfAbsent(problem: unknown): null {
  if (problem instanceof Error && (problem.name === 'NoSuchKey' || problem.name === 'NotFound')) return null
  throw problem
}

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
import { type Circuit, openCircuit, type Pauses } from '../foundation/circuit.ts'
import { Unavailable } from '../foundation/errors.ts'
import { realTime } from '../foundation/timer.ts'
import type { ProgramLog } from '../observability/log.ts'
import { checkedKey, type FileStore, type StoredContent } from './store.ts'

const triesMax = 3
/** Longest silence on the connection; a transfer in progress may take any time. */
const usualSilentMs = 10_000
const usualPauses = { firstMs: 1_000, maxMs: 15_000 }

/** Silences the library: problems are thrown, and its own output would bypass our log. */
const ignore = () => undefined
const quiet = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

type Options = { pageKeysMax?: number; silentMs?: number; pauses?: Pauses; log?: ProgramLog }

/**
 * Files in a bucket; one request writes one file, so readers see all of it or nothing. While the bucket does not
 * respond the circuit is open: calls fail immediately until it answers again.
 */
export function openBucketStore(
  bucket: Bucket,
  { pageKeysMax = 1_000, silentMs = usualSilentMs, pauses = usualPauses, log }: Options = {},
): FileStore & Required<Pick<FileStore, 'prepare'>> {
  const { name: Bucket } = bucket
  const client = connect(bucket, silentMs)
  const check = () => client.send(new HeadBucketCommand({ Bucket }))
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
  const reachable = <Result>(work: () => Promise<Result>): Promise<Result> => whileClosed(circuit, work)

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
      // The older listing call: it pages by key, and every S3-compatible store supports it.
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
    prepare: () => reachable(() => makeSureOf(client, bucket)),
    close: async () => {
      circuit.stop()
      client.destroy()
    },
  }
}

function connect({ endpoint, region, accessKeyId, secretAccessKey }: Bucket, silentMs: number): S3Client {
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: triesMax,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: silentMs, socketTimeout: silentMs },
    logger: quiet,
    // Newer checksums are sent as trailers, which many S3-compatible stores do not support.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** The answer to a HEAD has no body, so a listing is requested to learn why access is refused. */
async function makeSureOf(client: S3Client, { name: Bucket, region }: Bucket): Promise<'there' | 'made'> {
  const check = () => client.send(new HeadBucketCommand({ Bucket }))
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
  // Amazon's us-east-1 is the region that must not be named.
  const place =
    region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint: region as 'eu-west-1' } }
  try {
    await client.send(new CreateBucketCommand({ Bucket, ...place }))
    return 'made'
  } catch (problem) {
    const isReachable = () =>
      check().then(
        () => true,
        () => false,
      )
    // Another process has just created it; some stores only answer that the name is taken.
    if (isNamed(problem, 'BucketAlreadyOwnedByYou')) return 'there'
    if (isNamed(problem, 'BucketAlreadyExists') && (await isReachable())) return 'there'
    const reason = reasonOf(problem)
    throw isAnswered(problem)
      ? new Unavailable(`There is no bucket, and these keys may not make it (${reason})`, problem)
      : problem
  }
}

async function whileClosed<Result>(circuit: Circuit, work: () => Promise<Result>): Promise<Result> {
  if (circuit.isOpen()) throw new Unavailable('The bucket does not answer: its circuit is open')
  try {
    const result = await work()
    circuit.succeeded()
    return result
  } catch (problem) {
    // Only timeouts open the circuit: an immediate refusal keeps nobody waiting.
    if (isSilence(problem)) circuit.failed()
    else if (isAnswered(problem)) circuit.succeeded()
    throw asUnreachable(problem)
  }
}

type Place = { Bucket: string; Key: string }

/** A stream cannot be read twice, so each attempt opens the file again; the library retries bytes itself. */
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
  if (isSilence(problem) || isNetworkFailure(problem)) return new Unavailable('The bucket does not answer', problem)
  return '$metadata' in problem
    ? new Unavailable(`The bucket refused the request (${reasonOf(problem)})`, problem)
    : problem
}

/** The store's error code, such as `AccessDenied` or `SignatureDoesNotMatch`; it contains no personal data and no key. */
function reasonOf(problem: unknown): string {
  const { name, $metadata } = problem as S3ServiceException
  return /^[A-Za-z0-9]{1,60}$/.test(name ?? '') ? name : String($metadata?.httpStatusCode ?? 'no reason')
}

const isNamed = (problem: unknown, name: string): boolean => problem instanceof Error && problem.name === name

/** An error answer of the store, which has a status. */
function isAnswered(problem: unknown): boolean {
  if (!(problem instanceof S3ServiceException)) return false
  return (problem.$metadata.httpStatusCode ?? 0) > 0
}

/** A timeout. The library uses the same name for a broken connection, which is excluded. */
function isSilence(problem: unknown): boolean {
  return problem instanceof Error && problem.name === 'TimeoutError' && !cutOff.test(codeOf(problem))
}

const cutOff = /^(ECONNRESET|EPIPE)$/
const codeOf = (problem: Error): string => ('code' in problem ? String(problem.code) : '')

const lineProblems = /^(ECONN|ETIMEDOUT|EPIPE|EAI_|ENOTFOUND|EHOST|ENETUNREACH)/

function isNetworkFailure(problem: Error): boolean {
  return lineProblems.test(codeOf(problem))
}

function nullIfAbsent(problem: unknown): null {
  if (problem instanceof Error && (problem.name === 'NoSuchKey' || problem.name === 'NotFound')) return null
  throw problem
}

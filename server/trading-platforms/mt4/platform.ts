import { z } from 'zod'
import { GatewayError } from '../contract.ts'
import type { Dependencies } from '../dependencies.ts'
import { protocolError } from '../refusals.ts'
import type { Mt4Call, Mt4Client } from './client.ts'
import { healthRecord } from './records.ts'
import type { Mt4Settings } from './settings.ts'

/** The dependencies of every operation of this adapter. */
export type Platform = { client: Mt4Client; settings: Mt4Settings; dependencies: Dependencies }

export function read<Form extends z.ZodType>(platform: Platform, call: Mt4Call, form: Form): Promise<z.output<Form>> {
  return platform.client.call(call, form)
}

export type CallTiming = Pick<Mt4Call, 'urgent' | 'deadlineAt'>

/** Fails unless the platform itself answers: a running bridge proves nothing about the platform behind it. */
export async function ping(platform: Platform, how: CallTiming = {}): Promise<void> {
  const urgentCall = {
    ...(how.urgent !== undefined && { urgent: how.urgent }),
    ...(how.deadlineAt !== undefined && { deadlineAt: how.deadlineAt }),
  }
  const { connected } = await read(platform, { ...urgentCall, path: '/v1/health' }, healthRecord)
  if (!connected) throw new GatewayError({ outcome: 'not_executed', reason: 'session_lost', sent: true })
}

type LookUp<Found> = { lookUp: () => Promise<Found>; isNothing?: (found: Found) => boolean }

/**
 * After idle time a manager connection returns empty answers instead of an error. So "empty" and "not found" are
 * requested again after a ping before they count.
 */
export async function certainly<Found>(
  platform: Platform,
  how: CallTiming,
  { lookUp, isNothing = () => false }: LookUp<Found>,
): Promise<Found> {
  try {
    const found = await lookUp()
    if (!isNothing(found)) return found
  } catch (error) {
    if (!(error instanceof GatewayError && error.reason === 'not_found')) throw error
  }
  await ping(platform, how)
  return lookUp()
}

export function readCertainly<Form extends z.ZodType>(
  platform: Platform,
  call: Mt4Call,
  form: Form,
): Promise<z.output<Form>> {
  return certainly(platform, call, { lookUp: () => read(platform, call, form) })
}

const PAGES_MAX = 10_000

/** Reads page by page. An empty page is requested again, even after a page that announced more. */
export async function* pagesOf<Item extends z.ZodType>(
  platform: Platform,
  call: Mt4Call,
  item: Item,
): AsyncGenerator<z.output<Item>[]> {
  const page = z.object({ items: z.array(item), next_cursor: z.string().min(1).nullable() })
  let cursor: string | null = null
  for (let count = 0; count < PAGES_MAX; count++) {
    const query: Record<string, string> = { ...call.query, ...(cursor === null ? {} : { cursor }) }
    const lookUp = () => read(platform, { ...call, query }, page)
    const found = await certainly(platform, call, { lookUp, isNothing: ({ items }) => items.length === 0 })
    yield found.items
    if (found.next_cursor === null) return
    cursor = found.next_cursor
  }
  throw protocolError()
}

export async function readAll<Item extends z.ZodType>(
  platform: Platform,
  call: Mt4Call,
  item: Item,
): Promise<z.output<Item>[]> {
  const all: z.output<Item>[] = []
  for await (const items of pagesOf(platform, call, item)) all.push(...items)
  return all
}

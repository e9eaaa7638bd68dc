import type { InputShapeFromFields } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { Tx } from '../foundation/database/database.ts'
import { readAtOneMoment } from '../foundation/database/scoped-reads.ts'
import { builder } from './builder.ts'
import type { GraphContext } from './context.ts'

/** The arguments of every list in pages. */
export const pageArgs = builder.args((t) => ({ limit: t.int(), page: t.int(), withCount: t.boolean() }))
export type CountedPageArgs = InputShapeFromFields<typeof pageArgs>

/** `balance_transactions` counts as `countBalancetransactions`, under an alias `in_progress` as `countInprogress`. */
export function countKey(name: string): string {
  const joined = name.replaceAll('_', '')
  return `count${joined.charAt(0).toUpperCase()}${joined.slice(1)}`
}

export function keepCount(context: GraphContext, info: GraphQLResolveInfo, count: number, name = info.fieldName): void {
  const shown = String(info.path.key)
  context.counts[countKey(shown === info.fieldName ? name : shown)] = count
}

type Counted<Row> = {
  rows: (tx: Tx) => Promise<Row[]>
  count: (tx: Tx) => Promise<number>
  /** The name of the count, if not the field's. */
  name?: string
}

/** A page, and its count where asked for: both in one round trip and of one moment. */
export async function readCounted<Row>(
  context: GraphContext,
  info: GraphQLResolveInfo,
  isCounted: boolean | null | undefined,
  { rows, count, name }: Counted<Row>,
): Promise<Row[]> {
  if (!isCounted) return context.read(rows)
  const [page, total] = await context.read((tx) => {
    readAtOneMoment(tx)
    return Promise.all([rows(tx), count(tx)])
  })
  keepCount(context, info, total, name)
  return page
}

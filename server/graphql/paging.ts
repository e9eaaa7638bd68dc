import type { InputShapeFromFields } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
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

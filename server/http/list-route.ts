import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../foundation/context.ts'
import { type Handler, open, openTable, type TableHandler } from './route.ts'

type ListCalls<Page extends z.ZodType, Answer extends z.ZodType, Exported extends z.ZodType> = {
  list: Call<Page, Answer, 'staff', 'GET'>
  table: Call<Exported, z.ZodType, 'staff', 'GET'>
}

/** Opens both calls of a list of the desk: a page, and the table export with its audit entry. */
export function openList<Page extends z.ZodType, Answer extends z.ZodType, Exported extends z.ZodType>(
  app: FastifyInstance,
  context: Context,
  { list, table }: ListCalls<Page, Answer, Exported>,
  defined: {
    read: Handler<Page, Answer, 'staff'>
    table: TableHandler<Exported, 'staff'>['handler']
    exportedAs: string
  },
): void {
  open(app, context, list, defined.read)
  openTable(app, context, table, { audit: [defined.exportedAs], handler: defined.table })
}

import * as statements from '@atrium/contract/statements/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open, openTable } from '../http/route.ts'
import { drawStatement } from './pdf.ts'
import { listMonths, writeStatement } from './statement.ts'

/** A statement shows an account's balances and results, and all of its transactions. */
const ofAccounts = { scopes: ['my_accounts'], permission: 'transactions' } as const

export function openStatementCalls(app: FastifyInstance, context: Context): void {
  open(app, context, statements.listStatements, {
    ...ofAccounts,
    handler: (member, { id }) => listMonths(member, id.toLowerCase()),
  })

  openTable(app, context, statements.readStatement, {
    ...ofAccounts,
    handler: async (member, { id, month }) => {
      const statement = await writeStatement(member, id.toLowerCase(), month)
      const name = `statement-${statement.account.login}-${month}.pdf`
      return { name, type: 'application/pdf', lines: drawStatement(statement) }
    },
  })
}

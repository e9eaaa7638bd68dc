import * as statements from '@atrium/contract/statements/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { drawStatement } from './pdf.ts'
import { listMonths, writeStatement } from './statement.ts'

export function openStatementCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, statements.listStatements, {
    scopes: ['my_accounts', 'transactions'],
    handler: (member, { id }) => listMonths(member, id.toLowerCase()),
  })

  openTable(app, ground, statements.readStatement, {
    scopes: ['my_accounts', 'transactions'],
    handler: async (member, { id, month }) => {
      const statement = await writeStatement(member, id.toLowerCase(), month)
      const name = `statement-${statement.account.login}-${month}.pdf`
      return { name, type: 'application/pdf', lines: drawStatement(statement) }
    },
  })
}

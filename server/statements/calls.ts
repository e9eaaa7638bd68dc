import * as statements from '@atrium/contract/statements.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { drawStatement } from './pdf.ts'
import { listMonths, writeStatement } from './statement.ts'

export function openStatementCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, statements.listStatements, (member, { id }) => listMonths(member, id.toLowerCase()))

  openTable(app, ground, statements.readStatement, async (member, { id, month }) => {
    const statement = await writeStatement(member, id.toLowerCase(), month)
    const name = `statement-${statement.account.login}-${month}.pdf`
    return { name, type: 'application/pdf', lines: drawStatement(statement) }
  })
}

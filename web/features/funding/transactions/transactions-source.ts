import { limits } from '@atrium/contract/limits.ts'
import { saveTable } from '../../../api/save-table.ts'
import { inSectionTime } from '../../../api/section.ts'
import { type ListSource, numberedPage } from '../../../ui/lists/list-query.ts'
import { transactionsKey } from '../transactions-key.ts'
import { pollOf, readTransactions, type Transaction } from '../use-funding.ts'
import { toAsked, transactionsList } from './transactions-list.ts'

export const transactions: ListSource<typeof transactionsList, Transaction, null> = {
  list: transactionsList,
  key: [...transactionsKey, 'list'],
  async ask({ page = 1, ...filters }) {
    const variables = { limit: limits.transactionsPageSize, page, ...toAsked(filters) }
    const { rows, total } = await readTransactions(variables)
    return numberedPage(rows, total)
  },
  refreshMs: pollOf,
  async save(filters) {
    // The contract's schemas load when they are needed: the list itself has none.
    const { exportTransactions } = await inSectionTime(() => import('@atrium/contract/funding/calls.ts'))
    await saveTable(exportTransactions.path, toAsked(filters), 'transactions.csv')
  },
}

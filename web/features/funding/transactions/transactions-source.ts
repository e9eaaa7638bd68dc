import { exportTransactions } from '@atrium/contract/funding/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { saveTable } from '../../../api/save-table.ts'
import { type ListSource, numberedPage } from '../../../ui/lists/list-query.ts'
import { pollOf, readTransactions, type Transaction, transactionsKey } from '../use-funding.ts'
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
  save: (filters) => saveTable(exportTransactions.path, toAsked(filters), 'transactions.csv'),
}

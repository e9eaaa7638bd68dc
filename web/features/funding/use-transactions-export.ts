import { exportTransactions } from '@atrium/contract/funding/calls.ts'
import { useMutation } from '@tanstack/react-query'
import { saveTable } from '../../api/save-table.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type TransactionFilters, toAsked } from './transactions/transactions-search.ts'

/** Saves the transactions that match the filters as CSV, which the server streams. */
export function useTransactionsExport() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (filters: TransactionFilters) =>
      saveTable(exportTransactions.path, toAsked(filters), 'transactions.csv'),
    onError: (error) => notice.refused(t(error.message)),
  })
}

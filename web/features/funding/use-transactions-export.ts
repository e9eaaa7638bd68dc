import { exportTransactions } from '@atrium/contract/funding/calls.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { type TransactionFilters, toAsked } from './transactions/transactions-search.ts'

/** What the filters find as a table for spreadsheets, written while it is read. */
export function useTransactionsExport() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (filters: TransactionFilters) =>
      saveTable(exportTransactions.path, toAsked(filters), 'transactions.csv'),
    onError: (error) => notice.refused(t(error.message)),
  })
}

import { destinationTexts } from '@atrium/contract/destination-texts.ts'
import { deleteBankAccount } from '@atrium/contract/destinations.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BankAccountDialog } from '../features/banking/bank-account-dialog.tsx'
import { BankAccountsTable } from '../features/banking/bank-accounts-table.tsx'
import { CompanyBanks } from '../features/banking/company-banks.tsx'
import { type BankAccount, useBankAccounts, useDeletion } from '../features/banking/use-banking.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Card, Page } from '../ui/page.tsx'
import { useEverywhere } from './shell/everywhere.tsx'

export function BankAccountsPage() {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { data, error, refetch } = useBankAccounts()
  const { openComplaint } = useEverywhere()
  const deletion = useDeletion(deleteBankAccount)
  const [edited, setEdited] = useState<BankAccount | 'new' | null>(null)
  const askToDelete = async (account: BankAccount) => {
    const { bank_name, account_holder, currency } = account
    const yes = await confirm({
      title: t(destinationTexts.deleteBank),
      body: [bank_name, account_holder, currency].join(' \u00b7 '),
      action: t('Delete'),
      isDangerous: true,
    })
    if (yes) deletion.mutate({ id: account._id })
  }
  const add = (
    <Button leftSection={<IconPlus size={18} stroke={1.5} />} onClick={() => setEdited('new')}>
      {t('Add Bank Account')}
    </Button>
  )
  return (
    <Page title={t('Bank Accounts')} help={t('Where your withdrawals are paid to.')} actions={add}>
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <BankAccountsTable rows={data} action={null} onEdit={setEdited} onDelete={askToDelete} />
      )}
      <CompanyBanks onContact={openComplaint} />
      <BankAccountDialog account={edited} onClose={() => setEdited(null)} />
    </Page>
  )
}

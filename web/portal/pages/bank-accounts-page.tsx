import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import { deleteBankAccount } from '@atrium/contract/banking/calls.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { BankAccountDialog } from '../../features/banking/bank-account-dialog.tsx'
import { BankAccountsTable } from '../../features/banking/bank-accounts-table.tsx'
import { CompanyBanks } from '../../features/banking/company-banks.tsx'
import { type BankAccount, useBankAccounts, useDeletion } from '../../features/banking/use-banking.ts'
import { useSession } from '../../features/session/session.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { PagerBar } from '../../ui/lists/paging/pager-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useEverywhere } from '../shell/everywhere.tsx'

/** Paged, although most members have two or three bank accounts. */
function usePageOf(all: BankAccount[] | undefined) {
  const size = beneficiaryLimits.bankAccountsPageSize
  const [wanted, setPage] = useState(1)
  if (all === undefined || all.length <= size) return { rows: all, pager: null }
  // The last bank account of a page may have been deleted.
  const page = Math.min(wanted, Math.ceil(all.length / size))
  return {
    rows: all.slice((page - 1) * size, page * size),
    pager: <PagerBar page={page} size={size} total={all.length} onPage={setPage} />,
  }
}

export function BankAccountsPage() {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { data, error, refetch } = useBankAccounts()
  const { openComplaint } = useEverywhere()
  const { settings } = useSession()
  const deletion = useDeletion(deleteBankAccount)
  const [edited, setEdited] = useState<BankAccount | 'new' | null>(null)
  const shown = usePageOf(data)
  const askToDelete = async (account: BankAccount) => {
    const { bank_name, account_holder, currency } = account
    const yes = await confirm({
      title: t(beneficiaryTexts.deleteBank),
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
        <BankAccountsTable
          rows={shown.rows}
          action={null}
          onEdit={setEdited}
          onDelete={askToDelete}
          footer={shown.pager}
        />
      )}
      <CompanyBanks onContact={openComplaint} />
      <BankAccountDialog
        account={edited}
        nameCharsMax={settings.bank_name_chars_max ?? beneficiaryLimits.bankNameCharsMax}
        onClose={() => setEdited(null)}
      />
    </Page>
  )
}
